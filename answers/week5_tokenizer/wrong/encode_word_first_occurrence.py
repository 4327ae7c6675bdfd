"""encode_word: joins only the first occurrence of each merge.

Question: encode_word
Mistakes: slip
Deserves: 65 %
Fails: encode_word_given, encode_word_hidden_random
Tell: A merge should join all its occurrences in the word, not only the first.
"""


def encode_word(symbols, merges):
    tokens = list(symbols)
    for pair in merges:
        for i in range(len(tokens) - 1):
            if (tokens[i], tokens[i + 1]) == pair:
                tokens = tokens[:i] + [tokens[i] + tokens[i + 1]] + tokens[i + 2 :]
                break
    return tokens
