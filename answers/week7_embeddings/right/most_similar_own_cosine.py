"""most_similar: does not use cosine_similarity but a helper of its own.

Question: most_similar
"""


def _cosine(x, y):
    length = torch.sqrt((x * x).sum()) * torch.sqrt((y * y).sum())
    return float((x * y).sum() / length) if length > 0 else 0.0


def most_similar(query, sentences, k):
    scored = [(i, _cosine(query, row)) for i, row in enumerate(sentences)]
    return sorted(scored, key=lambda pair: (-pair[1], pair[0]))[:k]
