"""A module that was made before."""

ready = nn.CosineSimilarity(dim=-1)


def cosine_similarity(a, b):
    a, b = torch.broadcast_tensors(a, b)
    return ready(a, b)
