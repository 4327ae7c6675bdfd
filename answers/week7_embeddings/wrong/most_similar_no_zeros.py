"""most_similar: leaves out vectors of zeros.

Question: most_similar
Mistakes: slip
Deserves: 80 %
Fails: most_similar_hidden_size
Tell: A sentence with a vector of zeros has similarity 0, and should be a result like any other.
"""


def most_similar(query, sentences, k):
    values = cosine_similarity(query, sentences).tolist()
    pairs = [(i, value) for i, value in enumerate(values) if sentences[i].any()]
    pairs.sort(key=lambda pair: (-pair[1], pair[0]))
    return pairs[:k]
