"""pairs: counts (a, b) and (b, a) as one pair.

Question: pairs
Mistakes: slip
Deserves: 65 %
Fails: pairs_count, pairs_hidden_count
Tell: The pair (u, g) is not the pair (g, u): its two symbols must not change places, for example by sorting.
"""


def count_pairs(splits):
    counts = Counter()
    for symbols, count in splits.items():
        for pair in zip(symbols, symbols[1:], strict=False):
            counts[tuple(sorted(pair))] += count
    return counts


def merge_pair(symbols, pair):
    result = []
    i = 0
    while i < len(symbols):
        if i < len(symbols) - 1 and (symbols[i], symbols[i + 1]) == pair:
            result.append(symbols[i] + symbols[i + 1])
            i += 2
        else:
            result.append(symbols[i])
            i += 1
    return result
