"""encode_word: takes one merge and calls itself for the rest.

Question: encode_word
"""


def join_all(tokens, left, right):
    if len(tokens) < 2:
        return list(tokens)
    if tokens[0] == left and tokens[1] == right:
        return [left + right] + join_all(tokens[2:], left, right)
    return [tokens[0]] + join_all(tokens[1:], left, right)


def encode_word(symbols, merges):
    if len(merges) == 0:
        return list(symbols)
    (left, right), rest = merges[0], merges[1:]
    return encode_word(join_all(symbols, left, right), rest)
