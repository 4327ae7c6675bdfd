"""most_similar: returns tensors inside the tuples.

Question: most_similar
Mistakes: slip
Deserves: 85 %
Fails: most_similar_hidden_values
Tell: The pairs hold tensors or NumPy numbers: int(), float(), .tolist() or .item() makes Python numbers of them.
"""


def most_similar(query, sentences, k):
    values, order = torch.sort(cosine_similarity(query, sentences), descending=True, stable=True)
    return [(order[i], values[i]) for i in range(min(k, len(order)))]
