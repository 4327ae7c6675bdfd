"""encode_word: sorts the caller's list of merges.

Question: encode_word
Mistakes: slip
Deserves: 75 %
Fails: encode_word_hidden_edges
Tell: The caller's list of merges is changed: work on a copy, or only read it.
"""


def encode_word(symbols, merges):
    order = list(merges)
    merges.sort(key=lambda pair: len(pair[0]) + len(pair[1]))
    tokens = list(symbols)
    for pair in order:
        tokens = merge_pair(tokens, pair)
    return tokens
