"""pairs: takes over the parts that the tests of question 3 bring along.

Question: pairs
Fails: pairs_merge, pairs_hidden_count, pairs_hidden_merge
Tell: The parts in the tests of question 3 are for symbols without spaces: compare symbols, not a joined
    text.
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
