"""Warns when a cell runs and whenever a function is called: Python's, numpy's and torch's warnings."""


def habit(submission):
    submission["softmax"] = """
import warnings
warnings.simplefilter("always")
warnings.warn("old style", DeprecationWarning)
def softmax(x, axis=-1):
    warnings.warn("softmax is called")
    warnings.warn("and will change", FutureWarning)
    np.log(np.array([0.0, -1.0]))
    torch.tensor(torch.ones(1))
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)
"""
