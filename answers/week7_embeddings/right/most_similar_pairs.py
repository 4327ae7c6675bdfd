"""most_similar: sorts pairs of minus similarity and index.

Question: most_similar
"""


def most_similar(query, sentences, k):
    pairs = []
    for i in range(sentences.shape[0]):
        pairs.append((-float(cosine_similarity(query, sentences[i])), i))
    pairs.sort()
    return [(i, -s + 0.0) for s, i in pairs[:k]]
