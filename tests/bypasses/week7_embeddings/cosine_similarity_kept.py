"""The function itself, kept in a list."""

ready = [torch.cosine_similarity]


def cosine_similarity(a, b):
    a, b = torch.broadcast_tensors(a, b)
    return ready[0](a, b, dim=-1)
