"""most_similar: torch.sort with stable=True.

Question: most_similar
"""


def most_similar(query, sentences, k):
    values, order = torch.sort(cosine_similarity(query, sentences), descending=True, stable=True)
    return list(zip(order[:k].tolist(), values[:k].tolist(), strict=True))
