"""encode_word: removes the end mark from the result.

Question: encode_word
Mistakes: slip
Deserves: 65 %
Fails: encode_word_words, encode_word_hidden_random
Tell: The end mark is a symbol like the others: it should stay in the tokens.
"""


def encode_word(symbols, merges):
    tokens = list(symbols)
    for pair in merges:
        tokens = merge_pair(tokens, pair)
    return [token for token in (token.replace(END, "") for token in tokens) if token]
