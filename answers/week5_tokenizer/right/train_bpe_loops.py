"""train_bpe: one list of lists, changed in place, in explicit loops.

Question: train_bpe
"""


def train_bpe(word_counts, num_merges):
    words = []
    for w in word_counts:
        words.append([list(w) + ["</w>"], word_counts[w]])
    merges = []
    for _ in range(num_merges):
        counts = {}
        for symbols, n in words:
            for i in range(len(symbols) - 1):
                p = (symbols[i], symbols[i + 1])
                if p not in counts:
                    counts[p] = 0
                counts[p] += n
        best, most = None, 0
        for p in sorted(counts):
            if counts[p] > most:
                best, most = p, counts[p]
        if best is None:
            return merges
        merges.append(best)
        for entry in words:
            symbols, i = entry[0], 0
            while i < len(symbols) - 1:
                if symbols[i] == best[0] and symbols[i + 1] == best[1]:
                    symbols[i : i + 2] = [best[0] + best[1]]
                i += 1
    return merges
