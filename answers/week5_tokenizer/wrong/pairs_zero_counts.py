"""pairs: also lists pairs that never occur, with the count 0.

Question: pairs
Mistakes: slip
Deserves: 80 %
Fails: pairs_hidden_count
Tell: count_pairs should hold only pairs that occur: leave out those with the count 0.
"""


def count_pairs(splits):
    counts = Counter()
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
    return result
