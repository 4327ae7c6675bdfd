"""encode_word: applies merges without regard to case.

Question: encode_word
Mistakes: slip
Deserves: 75 %
Fails: encode_word_hidden_edges
Tell: Capital and small letters are different symbols: a merge should join only the symbols that it names.
"""


def encode_word(symbols, merges):
    tokens = list(symbols)
    for left, right in merges:
        i = 0
        while i + 1 < len(tokens):
            if tokens[i].lower() == left.lower() and tokens[i + 1].lower() == right.lower():
                tokens[i : i + 2] = [tokens[i] + tokens[i + 1]]
            i += 1
    return tokens
