"""pairs: merges from right to left.

Question: pairs
Mistakes: slip
Deserves: 70 %
Fails: pairs_merge
Tell: Overlapping occurrences should be joined from the left: (a, a, a) becomes (aa, a).
"""


def count_pairs(splits):
    counts = Counter()
    for symbols, count in splits.items():
        for pair in zip(symbols, symbols[1:], strict=False):
            counts[pair] += count
    return counts


def merge_pair(symbols, pair):
    result = []
    i = len(symbols) - 1
    while i >= 0:
        if i > 0 and (symbols[i - 1], symbols[i]) == pair:
            result.append(symbols[i - 1] + symbols[i])
            i -= 2
        else:
            result.append(symbols[i])
            i -= 1
    return result[::-1]
