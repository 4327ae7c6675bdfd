"""encode_word: each merge in turn, with merge_pair.

Question: encode_word
"""


def encode_word(symbols, merges):
    tokens = list(symbols)
    for pair in merges:
        tokens = merge_pair(tokens, pair)
    return tokens
