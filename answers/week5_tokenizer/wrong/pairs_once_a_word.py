"""pairs: counts a pair once in a word, however often it stands there.

Question: pairs
Mistakes: slip
Deserves: 75 %
Fails: pairs_hidden_count
Tell: A pair that stands twice in a word should count twice; in a set of neighbours, for example, it would be
    there once.
"""


def count_pairs(splits):
    counts = Counter()
    for symbols, count in splits.items():
        for pair in set(zip(symbols, symbols[1:], strict=False)):
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
