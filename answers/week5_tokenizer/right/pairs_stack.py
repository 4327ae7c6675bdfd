"""pairs: takes the symbols from a list of its own, front first.

Question: pairs
"""


def count_pairs(splits):
    found = [(pair, n) for word, n in splits.items() for pair in zip(word[:-1], word[1:], strict=True)]
    return {pair: sum(n for other, n in found if other == pair) for pair, _ in found}


def merge_pair(symbols, pair):
    waiting = list(symbols)[::-1]
    done = []
    while waiting:
        symbol = waiting.pop()
        if symbol == pair[0] and waiting and waiting[-1] == pair[1]:
            symbol += waiting.pop()
        done.append(symbol)
    return done
