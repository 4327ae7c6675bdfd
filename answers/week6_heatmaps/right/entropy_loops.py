"""entropy: rows in a plain loop with math.log.

Question: entropy
"""


def attention_entropy(weights):
    rows = weights.reshape(-1, weights.shape[-1])
    result = []
    for row in rows.tolist():
        total = 0.0
        for w in row:
            if w > 0:
                total -= w * math.log(w)
        result.append(total)
    return torch.tensor(result, dtype=weights.dtype, device=weights.device).reshape(weights.shape[:-1])
