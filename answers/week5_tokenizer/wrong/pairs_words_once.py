"""pairs: adds 1 a place, whatever the word's count.

Question: pairs
Mistakes: slip
Deserves: 60 %
Fails: pairs_count, pairs_hidden_count
Tell: A word that occurs n times should give its pairs n each: add the word's count, not 1.
"""


def count_pairs(splits):
    counts = Counter()
    for symbols in splits:
        for pair in zip(symbols, symbols[1:], strict=False):
            counts[pair] += 1
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
