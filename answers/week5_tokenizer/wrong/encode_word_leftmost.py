"""encode_word: joins the leftmost pair that is any merge, again and again.

Question: encode_word
Mistakes: concept
Deserves: 40 %
Fails: encode_word_order, encode_word_hidden_random
Tell: The order of the merges should decide what is joined first, not what is found first from the left.
"""


def encode_word(symbols, merges):
    known = set(merges)
    tokens = list(symbols)
    i = 0
    while i < len(tokens) - 1:
        if (tokens[i], tokens[i + 1]) in known:
            tokens[i : i + 2] = [tokens[i] + tokens[i + 1]]
            i = 0
        else:
            i += 1
    return tokens
