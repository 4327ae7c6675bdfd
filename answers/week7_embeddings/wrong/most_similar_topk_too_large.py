"""most_similar: topk fails when k is larger than n.

Question: most_similar
Mistakes: slip
Deserves: 80 %
Fails: most_similar_hidden_size
Tell: k may be larger than the number of sentences: take min(k, n).
"""


def most_similar(query, sentences, k):
    similarities = cosine_similarity(query, sentences)
    if k > len(similarities):
        raise ValueError("k is larger than the number of sentences")
    values, order = torch.sort(similarities, descending=True, stable=True)
    return list(zip(order[:k].tolist(), values[:k].tolist(), strict=True))
