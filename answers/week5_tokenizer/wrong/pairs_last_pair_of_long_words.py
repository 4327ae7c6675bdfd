"""pairs: does not look at the last pair of long words.

Question: pairs
Mistakes: slip
Deserves: 80 %
Fails: pairs_hidden_merge
Tell: The last pair of a long word is not joined: go on to the end of the word.
"""


def count_pairs(splits):
    counts = Counter()
    for symbols, count in splits.items():
        for pair in zip(symbols, symbols[1:]):
            counts[pair] += count
    return counts


def merge_pair(symbols, pair):
    merged, i = [], 0
    end = len(symbols) - 1 if len(symbols) <= 8 else len(symbols) - 2
    while i < len(symbols):
        if i < end and symbols[i] == pair[0] and symbols[i + 1] == pair[1]:
            merged.append(symbols[i] + symbols[i + 1])
            i += 1
        else:
            merged.append(symbols[i])
        i += 1
    return merged
