"""encode_word: takes the longest known piece from the left.

Question: encode_word
Mistakes: concept
Deserves: 40 %
Fails: encode_word_order, encode_word_hidden_random
Tell: Tokens should be made merge by merge, each over the whole word; a walk from the left that takes any known
    piece is another algorithm.
"""


def encode_word(symbols, merges):
    known = {left + right for left, right in merges}
    tokens = []
    i = 0
    while i < len(symbols):
        for j in range(len(symbols), i, -1):
            piece = "".join(symbols[i:j])
            if piece in known or j == i + 1:
                tokens.append(piece)
                i = j
                break
    return tokens
