"""Numpy inside answers that are about torch: there and back."""


def habit(submission):
    submission["causal_mask"] = (
        "def causal_mask(length):\n    return torch.from_numpy(np.tri(length, dtype=bool))"
    )
    submission["padding_mask"] = (
        "def padding_mask(token_ids, pad_id):\n    return torch.as_tensor(np.expand_dims(token_ids.numpy() != pad_id, 1))"
    )
    submission["scaling"] = """
def dot_product_variance(q, k, scaled):
    products = np.einsum("pd,pd->p", q.numpy(), k.numpy())
    return np.var(products / np.sqrt(q.shape[1]) if scaled else products).item()
def softmax_entropy(weights):
    array = weights.detach().cpu().numpy()
    return torch.tensor(-(array * np.log(np.maximum(array, 1e-30))).sum(-1))
"""
