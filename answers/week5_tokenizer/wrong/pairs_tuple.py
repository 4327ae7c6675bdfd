"""pairs: returns a tuple, and an empty count for pairs that never occur.

Question: pairs
Mistakes: slip, slip
Deserves: 65 %
Fails: pairs_hidden_count, pairs_hidden_merge
Tell: merge_pair should return a list, and count_pairs should hold only pairs that occur.
"""


def count_pairs(splits):
    counts = {}
    known = {symbol for symbols in splits for symbol in symbols}
    for left in sorted(known):
        for right in sorted(known):
            counts[left, right] = 0
    for symbols, count in splits.items():
        for pair in zip(symbols, symbols[1:], strict=False):
            counts[pair] += count
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
    return tuple(result)
