"""pairs: merges lists, but no tuples.

Question: pairs
Mistakes: slip
Deserves: 80 %
Fails: pairs_hidden_merge
Tell: merge_pair should take a tuple of symbols too: a tuple has no copy(), for example.
"""


def count_pairs(splits):
    counts = Counter()
    for symbols, count in splits.items():
        for pair in zip(symbols, symbols[1:], strict=False):
            counts[pair] += count
    return counts


def merge_pair(symbols, pair):
    symbols = symbols.copy()
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
