"""Turns every warning into an error, as careful people do, and lets a right answer divide by zero on the way."""


def habit(submission):
    submission.add("import warnings\nwarnings.simplefilter('error')")
    submission["scaling"] = """
def dot_product_variance(q, k, scaled):
    products = torch.einsum("ij,ij->i", q, k)
    return float((products / (q.size(1) ** 0.5 if scaled else 1)).var())

def softmax_entropy(weights):
    array = weights.detach().numpy()
    terms = np.where(array > 0, array * np.log(array), 0)
    return torch.from_numpy(-terms.sum(axis=-1))
"""
