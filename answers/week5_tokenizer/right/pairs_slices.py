"""pairs: compares slices of two, and replaces from a copy.

Question: pairs
"""


def count_pairs(splits):
    c = Counter()
    for s, n in splits.items():
        c.update({p: n * k for p, k in Counter(zip(s, s[1:], strict=False)).items()})
    return c


def merge_pair(symbols, pair):
    tokens = list(symbols)
    i = 0
    while i < len(tokens):
        if tokens[i : i + 2] == list(pair):
            tokens[i : i + 2] = ["".join(pair)]
        i += 1
    return tokens
