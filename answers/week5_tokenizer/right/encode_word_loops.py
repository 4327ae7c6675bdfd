"""encode_word: one index, one list, changed in place after a copy.

Question: encode_word
"""


def encode_word(symbols, merges):
    tokens = []
    for s in symbols:
        tokens.append(s)
    for left, right in merges:
        i = 0
        while i + 1 < len(tokens):
            if tokens[i] == left and tokens[i + 1] == right:
                tokens[i] = left + right
                tokens.pop(i + 1)
            i = i + 1
    return tokens
