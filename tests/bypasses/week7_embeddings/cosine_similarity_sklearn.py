"""scikit-learn's, of each pair."""


def ready(a, b):
    from sklearn.metrics.pairwise import cosine_similarity as ready_made

    return torch.tensor(ready_made(a.numpy(), b.numpy()).diagonal().copy())
