"""encode_word: returns a string with spaces.

Question: encode_word
Mistakes: slip
Deserves: 70 %
Fails: encode_word_given, encode_word_hidden_edges
Tell: The result should be a list of tokens, not a string with spaces.
"""


def encode_word(symbols, merges):
    tokens = list(symbols)
    for pair in merges:
        tokens = merge_pair(tokens, pair)
    return " ".join(tokens)
