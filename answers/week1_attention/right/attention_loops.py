"""attention: loops over the batch, the queries and the keys: slow and right.

Question: attention
"""


def scaled_dot_product_attention(Q, K, V, mask=None):
    if Q.dim() > 2:
        # one batch item (or head) at a time
        outs, ws = [], []
        for b in range(Q.shape[0]):
            m = mask
            if mask is not None and mask.dim() == Q.dim():
                m = mask[b] if mask.shape[0] > 1 else mask[0]
            o, w = scaled_dot_product_attention(Q[b], K[b], V[b], m)
            outs.append(o)
            ws.append(w)
        return torch.stack(outs), torch.stack(ws)

    n_q, n_k, d_k = Q.shape[0], K.shape[0], Q.shape[1]
    if mask is not None:
        mask = mask.expand(n_q, n_k)
    rows = []
    for i in range(n_q):
        row = []
        for j in range(n_k):
            s = torch.dot(Q[i], K[j]) / d_k**0.5
            if mask is not None and not mask[i, j]:
                s = s * 0 - float("inf")
            row.append(s)
        rows.append(torch.stack(row).softmax(0))
    weights = torch.stack(rows)
    return weights @ V, weights
