"""scaling: only the first function is written.

Question: scaling
Mistakes: slip
Deserves: 50 %
Fails: scaling_entropy, scaling_hidden_entropy
Tell: softmax_entropy is not written yet: the first function is right, now do the second.
"""


def dot_product_variance(q, k, scaled):
    products = (q * k).sum(dim=-1)
    if scaled:
        products = products / math.sqrt(q.shape[-1])
    return products.var().item()


def softmax_entropy(weights):
    raise NotImplementedError("week 1, scaling: write softmax_entropy, then delete this line")
