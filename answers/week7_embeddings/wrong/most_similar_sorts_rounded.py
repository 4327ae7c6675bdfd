"""most_similar: sorts by similarities that are rounded to two decimals.

Question: most_similar
Mistakes: slip
Deserves: 75 %
Fails: most_similar_hidden_values
Tell: Similarities that differ only a little are taken for equal: sort by the numbers as they are, not
    rounded.
"""


def most_similar(query, sentences, k):
    values = cosine_similarity(query, sentences).tolist()
    pairs = [(i, value) for i, value in enumerate(values)]
    pairs.sort(key=lambda pair: (-round(pair[1], 2), pair[0]))
    return pairs[:k]
