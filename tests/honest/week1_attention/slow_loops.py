"""Slow but right: loops over everything, in pure Python."""


def habit(submission):
    submission["attention"] = """
def scaled_dot_product_attention(Q, K, V, mask=None):
    shape = torch.broadcast_shapes(Q.shape[:-2], K.shape[:-2], V.shape[:-2])
    Q, K, V = (x.expand(*shape, *x.shape[-2:]).reshape(-1, *x.shape[-2:]) for x in (Q, K, V))
    n, m = Q.shape[1], K.shape[1]
    if mask is not None:
        mask = mask.expand(*shape, n, m).reshape(-1, n, m)
    outputs, shares = [], []
    for b in range(len(Q)):
        for i in range(n):
            row = []
            for j in range(m):
                score = sum(Q[b, i, d] * K[b, j, d] for d in range(Q.shape[2])) / Q.shape[2] ** 0.5
                if mask is not None and not mask[b, i, j]:
                    score = score + float("-inf")
                row.append(score)
            highest = max(row)
            powers = [torch.exp(score - highest) for score in row]
            weights = [power / sum(powers) for power in powers]
            shares.append(torch.stack(weights))
            outputs.append(sum(weight * V[b, j] for j, weight in enumerate(weights)))
    return torch.stack(outputs).reshape(*shape, n, -1), torch.stack(shares).reshape(*shape, n, m)
"""
    submission["padding_mask"] = """
def padding_mask(token_ids, pad_id):
    rows = []
    for sentence in token_ids:
        rows.append([[int(token) != pad_id for token in sentence]])
    return torch.tensor(rows)
"""
