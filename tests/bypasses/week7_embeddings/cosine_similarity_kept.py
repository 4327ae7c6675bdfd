"""The function itself, kept in a list."""

kept = [torch.cosine_similarity]


def ready(a, b):
    return kept[0](a, b, dim=-1)
