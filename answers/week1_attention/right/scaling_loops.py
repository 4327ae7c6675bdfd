"""scaling: loops over the pairs and over the weights of each row.

Question: scaling
"""


def dot_product_variance(q, k, scaled):
    pairs, d_k = q.shape
    dots = []
    for i in range(pairs):
        dot = float(torch.dot(q[i], k[i]))
        if scaled:
            dot = dot / math.sqrt(d_k)
        dots.append(dot)
    mean = sum(dots) / pairs
    return sum((dot - mean) ** 2 for dot in dots) / pairs


def softmax_entropy(weights):
    rows = weights.reshape(-1, weights.shape[-1])
    result = torch.zeros(len(rows))
    for r in range(len(rows)):
        for w in rows[r].tolist():
            if w > 0:
                result[r] -= w * math.log(w)
    return result.reshape(weights.shape[:-1])
