"""pairs: plain dictionaries, get with a default, a flag for the symbol that was used up.

Question: pairs
"""


def count_pairs(splits):
    counts = {}
    for word in splits:
        n = splits[word]
        for i in range(1, len(word)):
            p = (word[i - 1], word[i])
            counts[p] = counts.get(p, 0) + n
    return counts


def merge_pair(symbols, pair):
    out = []
    skip = False
    for i in range(len(symbols)):
        if skip:
            skip = False
            continue
        if i + 1 < len(symbols) and symbols[i] == pair[0] and symbols[i + 1] == pair[1]:
            out.append(pair[0] + pair[1])
            skip = True
        else:
            out.append(symbols[i])
    return out
