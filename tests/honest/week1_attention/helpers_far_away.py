"""Helper functions at the end of the notebook, after the tests: there they were run first, in the student's session."""

REPAIRS = {"helper_moved"}


def habit(submission):
    submission["softmax"] = (
        "def softmax(x, axis=-1):\n    powers = exponentials(x, axis)\n    return powers / total(powers, axis)"
    )
    submission["causal_mask"] = "def causal_mask(length):\n    return Triangle(length).lower()"
    submission.add(
        "import itertools\nEPS = 0.0\ndef total(x, axis):\n    return np.sum(x, axis=axis, keepdims=True) + EPS",
        after="causal_mask",
    )
    submission.append(
        "def exponentials(x, axis):\n    return np.exp(x - largest(x, axis))\nprint(exponentials(np.ones(3), 0))"
    )
    submission.append("def largest(x, axis):\n    return np.max(x, axis=axis, keepdims=True)")
    submission.append(
        "class Triangle:\n    def __init__(self, n): self.n = n\n"
        "    def lower(self): return torch.ones(self.n, self.n).tril().bool()"
    )
