"""A loss that is one minus the cosine."""


def cosine_similarity(a, b):
    a, b = torch.broadcast_tensors(a, b)
    rows = a.reshape(-1, a.shape[-1]), b.reshape(-1, b.shape[-1])
    loss = torch.nn.functional.cosine_embedding_loss(*rows, torch.ones(len(rows[0])), reduction="none")
    return (1 - loss).reshape(a.shape[:-1])
