"""Names, comments and text from many scripts, decomposed letters, emoji, right to left, half a surrogate pair."""

import json

from damage.harness import own_words


def damage(submission):
    submission.cell("softmax")["source"] = (
        "# \u05e2\u05d1\u05e8\u05d9\u05ea \u0639\u0631\u0628\u064a \u202eback\u202c \U0001f469\u200d\U0001f52c\n"
        "def softmax(x, axis=-1):\n    gro\u0308sse = np.exp(x - np.max(x, axis, keepdims=True))\n"
        "    \u03a3 = gr\u00f6sse.sum(axis, keepdims=True)\n    return gr\u00f6sse / \u03a3\n"
    )
    submission.cells.insert(1, own_words("\ud83d half of a pair, \x07 a bell, \x00 a zero"))
    submission.data = json.dumps(submission.notebook).encode()  # with escapes: half a pair has no UTF-8
