"""encode_word: drops symbols that no merge knows.

Question: encode_word
Mistakes: slip
Deserves: 65 %
Fails: encode_word_given, encode_word_hidden_random
Tell: A symbol that occurs in no merge should stay as it is.
"""


def encode_word(symbols, merges):
    known = {symbol for pair in merges for symbol in pair} | {left + right for left, right in merges}
    tokens = list(symbols)
    for pair in merges:
        tokens = merge_pair(tokens, pair)
    return [token for token in tokens if token in known]
