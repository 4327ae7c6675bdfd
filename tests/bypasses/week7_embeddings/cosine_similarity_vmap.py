"""In a batch, torch calls other code for the operator."""


def cosine_similarity(a, b):
    a, b = torch.broadcast_tensors(a, b)
    rows = a.reshape(-1, a.shape[-1]), b.reshape(-1, b.shape[-1])
    return torch.vmap(lambda x, y: torch.cosine_similarity(x, y, 0))(*rows).reshape(a.shape[:-1])
