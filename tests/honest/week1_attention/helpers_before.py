"""Helper functions in added cells before the answer that uses them."""


def habit(submission):
    submission.add("def largest(x, axis):\n    return np.max(x, axis=axis, keepdims=True)", before="softmax")
    submission.add("total = lambda x, axis: np.sum(x, axis=axis, keepdims=True)", before="softmax")
    submission.answer(
        "softmax",
        "def softmax(x, axis=-1):\n    powers = np.exp(x - largest(x, axis))\n    return powers / total(powers, axis)",
    )
