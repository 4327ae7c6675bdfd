"""most_similar: sorts pairs by a key of two parts.

Question: most_similar
"""


def most_similar(query, sentences, k):
    sims = cosine_similarity(query.unsqueeze(0), sentences)
    ranked = sorted(enumerate(sims.tolist()), key=lambda p: (-p[1], p[0]))
    return ranked[: min(k, len(ranked))]
