"""anisotropy: a loop over pairs; the covariance in float64.

Question: anisotropy
"""


def mean_cosine(vectors):
    total, count = 0.0, 0
    for i in range(len(vectors)):
        for j in range(i + 1, len(vectors)):
            total += float(cosine_similarity(vectors[i], vectors[j]))
            count += 1
    return total / count


def whiten(vectors, keep):
    x = vectors.double()
    x = x - x.mean(dim=0)
    values, columns = torch.linalg.eigh(x.T @ x / (len(x) - 1))
    result = []
    for i in range(1, keep + 1):
        deviation = math.sqrt(max(float(values[-i]), 1e-10))
        result.append(x @ columns[:, -i] / deviation)
    return torch.stack(result, dim=1).to(vectors.dtype)
