"""pairs: counts pairs with the same joined text together.

Question: pairs
Mistakes: slip
Deserves: 80 %
Fails: pairs_hidden_count
Tell: (ab, a) and (a, ba) are different pairs, although their joined text is the same: the key should be the
    pair.
"""


def count_pairs(splits):
    counts, seen = {}, {}
    for symbols, number in splits.items():
        for left, right in zip(symbols, symbols[1:]):
            left, right = seen.setdefault(left + right, (left, right))
            counts[left, right] = counts.get((left, right), 0) + number
    return counts


def merge_pair(symbols, pair):
    result, i = [], 0
    while i < len(symbols):
        if tuple(symbols[i : i + 2]) == pair:
            result.append(pair[0] + pair[1])
            i += 2
        else:
            result.append(symbols[i])
            i += 1
    return result
