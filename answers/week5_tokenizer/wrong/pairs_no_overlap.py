"""pairs: does not count a pair that overlaps the one before.

Question: pairs
Mistakes: slip
Deserves: 75 %
Fails: pairs_hidden_count
Tell: Every place should count, also overlapping ones: (a, a, a) holds the pair (a, a) twice.
"""


def count_pairs(splits):
    counts = Counter()
    for symbols, count in splits.items():
        last = {}
        for i in range(len(symbols) - 1):
            pair = (symbols[i], symbols[i + 1])
            if last.get(pair, -2) < i - 1:
                counts[pair] += count
                last[pair] = i
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
