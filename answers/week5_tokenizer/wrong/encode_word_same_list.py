"""encode_word: returns the list that it was given if there are no merges.

Question: encode_word
Mistakes: slip
Deserves: 85 %
Fails: encode_word_hidden_edges
Tell: Without merges, the list that was handed in comes back: begin with list(symbols), which makes a new one.
"""


def encode_word(symbols, merges):
    tokens = symbols
    for pair in merges:
        tokens = merge_pair(tokens, pair)
    return tokens
