"""The cosine in another question's answer."""


def most_similar(query, sentences, k):
    values = torch.nn.functional.cosine_similarity(query[None], sentences, dim=-1)
    order = sorted(range(len(values)), key=lambda i: (-values[i].item(), i))[:k]
    return [(i, values[i].item()) for i in order]
