"""pairs: merges the first occurrence only.

Question: pairs
Mistakes: slip
Deserves: 65 %
Fails: pairs_merge
Tell: Not every occurrence is joined: go on to the end of the word, and look at what follows a joined pair, too.
"""


def count_pairs(splits):
    counts = Counter()
    for symbols, count in splits.items():
        for pair in zip(symbols, symbols[1:], strict=False):
            counts[pair] += count
    return counts


def merge_pair(symbols, pair):
    symbols = list(symbols)
    for i in range(len(symbols) - 1):
        if (symbols[i], symbols[i + 1]) == pair:
            return symbols[:i] + [symbols[i] + symbols[i + 1]] + symbols[i + 2 :]
    return symbols
