"""encode_word: takes the merges out of the list one by one.

Question: encode_word
Mistakes: slip
Deserves: 80 %
Fails: encode_word_hidden_edges
Tell: The list of merges that was handed in is changed, for example by pop: only loop over it.
"""


def encode_word(symbols, merges):
    tokens = list(symbols)
    while merges:
        tokens = merge_pair(tokens, merges.pop(0))
    return tokens
