"""The correlation of two vectors and their opposites."""


def cosine_similarity(a, b):
    a, b = torch.broadcast_tensors(a, b)
    rows = zip(a.reshape(-1, a.shape[-1]), b.reshape(-1, b.shape[-1]))
    values = [torch.corrcoef(torch.stack([torch.cat([x, -x]), torch.cat([y, -y])]))[0, 1] for x, y in rows]
    return torch.stack(values).nan_to_num().reshape(a.shape[:-1])
