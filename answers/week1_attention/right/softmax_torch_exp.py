"""softmax: powers and sums in torch, without its softmax.

Question: softmax
"""


def softmax(x, axis=-1):
    t = torch.tensor(x, dtype=torch.float64)
    t = (t - t.amax(dim=axis, keepdim=True)).exp()
    return (t / t.sum(dim=axis, keepdim=True)).numpy()
