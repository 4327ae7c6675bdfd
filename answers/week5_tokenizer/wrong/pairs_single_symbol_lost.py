"""pairs: gives an empty list for one symbol.

Question: pairs
Mistakes: slip
Deserves: 80 %
Fails: pairs_merge
Tell: A word of one symbol comes back empty: without a pair, all symbols should stay.
"""


def count_pairs(splits):
    counts = {}
    for symbols, number in splits.items():
        for left, right in zip(symbols, symbols[1:]):
            counts[left, right] = counts.get((left, right), 0) + number
    return counts


def merge_pair(symbols, pair):
    if len(symbols) < 2:
        return []
    result, i = [], 0
    while i < len(symbols):
        if tuple(symbols[i : i + 2]) == pair:
            result.append(pair[0] + pair[1])
            i += 2
        else:
            result.append(symbols[i])
            i += 1
    return result
