"""encode_word: changes the list that it was given.

Question: encode_word
Mistakes: slip
Deserves: 80 %
Fails: encode_word_hidden_edges
Tell: encode_word returns the caller's own list, at least in some cases: return one of your own, begun with
    list(symbols).
"""


def encode_word(symbols, merges):
    for left, right in merges:
        i = 0
        while i < len(symbols) - 1:
            if symbols[i] == left and symbols[i + 1] == right:
                symbols[i : i + 2] = [left + right]
            i += 1
    return symbols
