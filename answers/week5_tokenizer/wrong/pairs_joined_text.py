"""pairs: joins the symbols with two spaces, and searches in that text.

Question: pairs
Mistakes: concept
Deserves: 45 %
Fails: pairs_whole, pairs_hidden_count
Tell: Symbols may hold spaces themselves, so a joined text does not say where one ends: compare symbols.
"""


def count_pairs(splits):
    counts = {}
    for symbols, count in splits.items():
        for pair in re.findall(r"(?= (\S+)  (\S+) )", f" {'  '.join(symbols)} "):
            counts[pair] = counts.get(pair, 0) + count
    return counts


def merge_pair(symbols, pair):
    found, joined = "  ".join(pair), "".join(pair)
    return f" {'  '.join(symbols)} ".replace(f" {found} ", f" {joined} ").split()
