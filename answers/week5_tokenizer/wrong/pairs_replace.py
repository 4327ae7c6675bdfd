"""pairs: merges with str.replace on the symbols joined by spaces.

Question: pairs
Mistakes: concept
Deserves: 45 %
Fails: pairs_whole
Tell: The pair is found across the boundaries of symbols, for example by str.replace: compare whole symbols.
"""


def count_pairs(splits):
    counts = Counter()
    for symbols, count in splits.items():
        for pair in zip(symbols, symbols[1:], strict=False):
            counts[pair] += count
    return counts


def merge_pair(symbols, pair):
    return " ".join(symbols).replace(" ".join(pair), "".join(pair)).split()
