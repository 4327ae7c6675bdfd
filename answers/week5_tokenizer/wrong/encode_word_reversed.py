"""encode_word: applies the latest merge first.

Question: encode_word
Mistakes: concept
Deserves: 40 %
Fails: encode_word_given, encode_word_order, encode_word_words, encode_word_hidden_random
Tell: The merge that was learned first should be applied first: do not reverse the list.
"""


def encode_word(symbols, merges):
    tokens = list(symbols)
    for pair in reversed(merges):
        tokens = merge_pair(tokens, pair)
    return tokens
