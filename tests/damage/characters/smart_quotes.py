"""Through a word processor that made quotes and the minus sign pretty."""

REPAIRS = {"characters_restored"}


def damage(submission):
    submission.cell("softmax")["source"] = (
        "def softmax(x, axis=\u22121):\n    \u201c\u201c\u201cWeights of one row.\u201d\u201d\u201d\n"
        "    e = np.exp(x \u2013 np.max(x, axis, keepdims=True))\n"
        "    total = {\u2018sum\u2019: e.sum(axis, keepdims=True)}\n    return e / total[\u201csum\u201d]"
    )
