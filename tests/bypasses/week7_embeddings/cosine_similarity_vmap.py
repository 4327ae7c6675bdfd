"""In a batch, torch calls other code for the operator."""


def ready(a, b):
    return torch.vmap(lambda x, y: torch.cosine_similarity(x, y, 0))(a, b)
