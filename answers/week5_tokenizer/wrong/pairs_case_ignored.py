"""pairs: merges without regard to case.

Question: pairs
Mistakes: slip
Deserves: 65 %
Fails: pairs_whole
Tell: Capital and small letters are different symbols: compare the symbols as they are.
"""


def count_pairs(splits):
    counts = {}
    for symbols, number in splits.items():
        for left, right in zip(symbols, symbols[1:]):
            counts[left, right] = counts.get((left, right), 0) + number
    return counts


def merge_pair(symbols, pair):
    result, i = [], 0
    while i < len(symbols):
        if tuple(s.lower() for s in symbols[i : i + 2]) == tuple(s.lower() for s in pair):
            result.append(symbols[i] + symbols[i + 1])
            i += 2
        else:
            result.append(symbols[i])
            i += 1
    return result
