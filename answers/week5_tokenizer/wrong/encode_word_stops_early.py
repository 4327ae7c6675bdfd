"""encode_word: stops at the first merge that does not occur.

Question: encode_word
Mistakes: slip
Deserves: 60 %
Fails: encode_word_words, encode_word_hidden_random
Tell: A merge that does not occur in this word should be passed over; the later ones still count.
"""


def encode_word(symbols, merges):
    tokens = list(symbols)
    for pair in merges:
        merged = merge_pair(tokens, pair)
        if len(merged) == len(tokens):
            break
        tokens = merged
    return tokens
