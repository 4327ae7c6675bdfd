"""pairs: forgets the last symbol when it is not part of a pair.

Question: pairs
Mistakes: slip
Deserves: 65 %
Fails: pairs_merge, pairs_whole
Tell: The last symbol is lost when no pair ends there: the loop must reach it.
"""


def count_pairs(splits):
    counts = Counter()
    for symbols, count in splits.items():
        for pair in zip(symbols, symbols[1:], strict=False):
            counts[pair] += count
    return counts


def merge_pair(symbols, pair):
    result = []
    i = 0
    while i < len(symbols) - 1:
        if (symbols[i], symbols[i + 1]) == pair:
            result.append(symbols[i] + symbols[i + 1])
            i += 2
        else:
            result.append(symbols[i])
            i += 1
    return result
