"""pairs: shortens the list that it was given.

Question: pairs
Mistakes: slip
Deserves: 80 %
Fails: pairs_hidden_merge
Tell: merge_pair changes the list of the caller: build a new one.
"""


def count_pairs(splits):
    counts = Counter()
    for symbols, count in splits.items():
        for pair in zip(symbols, symbols[1:], strict=False):
            counts[pair] += count
    return counts


def merge_pair(symbols, pair):
    if isinstance(symbols, tuple):
        symbols = list(symbols)
    i = 0
    while i < len(symbols) - 1:
        if symbols[i] == pair[0] and symbols[i + 1] == pair[1]:
            symbols[i] = symbols[i] + symbols[i + 1]
            del symbols[i + 1]
        i += 1
    return symbols
