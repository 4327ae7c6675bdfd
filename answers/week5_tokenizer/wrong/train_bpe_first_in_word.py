"""train_bpe: merges only the first occurrence in each word.

Question: train_bpe
Mistakes: slip
Deserves: 70 %
Fails: train_bpe_hidden_greedy
Tell: A word may hold the pair more than once: join all its occurrences.
"""


def train_bpe(word_counts, num_merges):
    words = [[list(word) + [END], count] for word, count in word_counts.items()]
    merges = []
    for _ in range(num_merges):
        counts = Counter()
        for symbols, count in words:
            for pair in zip(symbols, symbols[1:], strict=False):
                counts[pair] += count
        if not counts:
            break
        best = min(counts, key=lambda pair: (-counts[pair], pair))
        merges.append(best)
        for entry in words:
            symbols = entry[0]
            for i in range(len(symbols) - 1):
                if (symbols[i], symbols[i + 1]) == best:
                    entry[0] = symbols[:i] + [symbols[i] + symbols[i + 1]] + symbols[i + 2 :]
                    break
    return merges
