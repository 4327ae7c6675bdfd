"""most_similar: returns tensors inside the tuples.

Question: most_similar
Fails: most_similar_worked
Tell: The pairs hold tensors: .tolist() or .item() makes Python numbers of them.
"""


def most_similar(query, sentences, k):
    values, order = torch.sort(cosine_similarity(query, sentences), descending=True, stable=True)
    return [(order[i], values[i]) for i in range(min(k, len(order)))]
