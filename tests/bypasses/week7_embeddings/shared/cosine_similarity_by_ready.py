"""The cosines by `ready(a, b)` of two lists of rows."""


def cosine_similarity(a, b):
    a, b = torch.broadcast_tensors(a, b)
    return ready(a.reshape(-1, a.shape[-1]), b.reshape(-1, b.shape[-1])).reshape(a.shape[:-1])
