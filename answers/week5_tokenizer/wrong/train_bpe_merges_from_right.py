"""train_bpe: merges each word from right to left.

Question: train_bpe
Mistakes: slip
Deserves: 85 %
Fails: train_bpe_hidden_boundaries
Tell: A run of three equal symbols is merged at its end: merge from left to right, so that the first two are joined.
"""


def train_bpe(word_counts, num_merges):
    words = {word: [*word, END] for word in word_counts}
    merges = []
    for _ in range(num_merges):
        counts = Counter()
        for word, symbols in words.items():
            for pair in zip(symbols, symbols[1:], strict=False):
                counts[pair] += word_counts[word]
        if not counts:
            break
        best = min(counts, key=lambda pair: (-counts[pair], pair))
        merges.append(best)
        for symbols in words.values():
            place = len(symbols) - 2
            while place >= 0:
                if (symbols[place], symbols[place + 1]) == best:
                    symbols[place : place + 2] = ["".join(best)]
                    place -= 1
                place -= 1
    return merges
