"""Lets numpy raise at every overflow, underflow and division, to find mistakes."""


def habit(submission):
    submission.add("old = np.seterr(all='raise')\nnp.set_printoptions(suppress=True)")
    submission["scaling"] = """
def dot_product_variance(q, k, scaled):
    return float(np.var((q * k).numpy().sum(axis=1)) / (q.shape[1] if scaled else 1))

def softmax_entropy(weights):
    array = weights.numpy()
    return torch.from_numpy(-np.nansum(array * np.log(array), axis=-1))
"""
