"""The correlation of two vectors and their opposites."""


def ready(a, b):
    values = [
        torch.corrcoef(torch.stack([torch.cat([x, -x]), torch.cat([y, -y])]))[0, 1] for x, y in zip(a, b)
    ]
    return torch.stack(values).nan_to_num()
