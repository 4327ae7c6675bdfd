"""Two editors, one that indents with tabs: Python no longer knows which line belongs where, a reader does."""

REPAIRS = {"characters_restored"}


def damage(submission):
    submission.cell("softmax")["source"] = (
        "def softmax(x, axis=-1):\n    top = np.max(x, axis, keepdims=True)\n\te = np.exp(x - top)\n"
        "    return e / e.sum(axis, keepdims=True)"
    )
