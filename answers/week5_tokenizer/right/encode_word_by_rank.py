"""encode_word: as libraries do: joins the leftmost pair of lowest rank until there is none.

Question: encode_word
"""


def encode_word(symbols, merges):
    ranks = {pair: rank for rank, pair in enumerate(merges)}
    tokens = list(symbols)
    while len(tokens) > 1:
        candidates = [
            (ranks[tokens[i], tokens[i + 1]], i)
            for i in range(len(tokens) - 1)
            if (tokens[i], tokens[i + 1]) in ranks
        ]
        if not candidates:
            break
        _, i = min(candidates)
        tokens = tokens[:i] + [tokens[i] + tokens[i + 1]] + tokens[i + 2 :]
    return tokens
