"""A helper function in an added cell right after the answer, before the first test."""

REPAIRS = {"helper_moved"}  # run first, as an answer may need it as soon as it is defined


def habit(submission):
    submission.add("def largest(x, axis):\n    return np.max(x, axis=axis, keepdims=True)", after="softmax")
    submission["softmax"] = """
def softmax(x, axis=-1):
    powers = np.exp(x - largest(x, axis))
    return powers / powers.sum(axis, keepdims=True)
"""
