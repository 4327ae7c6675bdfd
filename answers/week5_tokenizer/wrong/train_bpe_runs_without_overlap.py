"""train_bpe: counts only places that do not overlap in a run of equal symbols.

Question: train_bpe
Mistakes: slip
Deserves: 85 %
Fails: train_bpe_hidden_boundaries
Tell: In a run of equal symbols every place should count, also overlapping ones: *** has (*, *) twice.
"""


def train_bpe(word_counts, num_merges):
    words = [[*word, END] for word in word_counts]
    numbers = list(word_counts.values())
    merges = []
    while len(merges) < num_merges:
        counts = Counter()
        for symbols, number in zip(words, numbers, strict=True):
            last = None
            for i, pair in enumerate(zip(symbols, symbols[1:], strict=False)):
                if last == i - 1 and pair[0] == pair[1] and symbols[i - 1] == pair[0]:
                    continue
                counts[pair] += number
                last = i
        if not counts:
            break
        most = max(counts.values())
        best = min(pair for pair in counts if counts[pair] == most)
        merges.append(best)
        words = [merge_pair(symbols, best) for symbols in words]
    return merges
