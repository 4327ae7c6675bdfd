"""pairs: merges neighbours whose joined text is that of the pair.

Question: pairs
Mistakes: slip
Deserves: 65 %
Fails: pairs_whole
Tell: (ab, c) is not the pair (a, bc), although the joined text is the same: compare symbol with symbol.
"""


def count_pairs(splits):
    counts = Counter()
    for symbols, count in splits.items():
        for pair in zip(symbols, symbols[1:]):
            counts[pair] += count
    return counts


def merge_pair(symbols, pair):
    wanted, merged = "".join(pair), []
    rest = list(symbols)
    while rest:
        if len(rest) > 1 and rest[0] + rest[1] == wanted:
            merged.append(wanted)
            rest = rest[2:]
        else:
            merged.append(rest.pop(0))
    return merged
