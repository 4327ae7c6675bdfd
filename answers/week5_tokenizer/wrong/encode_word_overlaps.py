"""encode_word: uses a merged symbol's parts twice.

Question: encode_word
Mistakes: slip
Deserves: 60 %
Fails: encode_word_given, encode_word_hidden_random
Tell: After a join go on behind both symbols: a place may be used only once.
"""


def encode_word(symbols, merges):
    tokens = list(symbols)
    for left, right in merges:
        joined = []
        for i in range(len(tokens)):
            if i + 1 < len(tokens) and tokens[i] == left and tokens[i + 1] == right:
                joined.append(left + right)
            elif i > 0 and tokens[i - 1] == left and tokens[i] == right:
                continue
            else:
                joined.append(tokens[i])
        tokens = joined
    return tokens
