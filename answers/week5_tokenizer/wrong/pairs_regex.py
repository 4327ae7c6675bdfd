"""pairs: merges with a regular expression that is not escaped, on symbols joined by spaces.

Question: pairs
Mistakes: concept
Deserves: 45 %
Fails: pairs_whole
Tell: A symbol may hold a space or a sign like . and *: compare symbols, and do not
    search in a text that is made of them.
"""


def count_pairs(splits):
    counts = Counter()
    for symbols, count in splits.items():
        for pair in zip(symbols, symbols[1:], strict=False):
            counts[pair] += count
    return counts


def merge_pair(symbols, pair):
    pattern = re.compile(r"(?<!\S)" + " ".join(pair) + r"(?!\S)")
    return pattern.sub("".join(pair), " ".join(symbols)).split()
