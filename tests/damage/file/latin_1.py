"""Opened and saved as Latin-1 by a mail program; names and comments are not all English."""

REPAIRS = {"encoding_restored"}


def damage(submission):
    code = "def softmax(x, axis=-1):  # für jede Zeile\n    größen = np.exp(x - np.max(x, axis, keepdims=True))\n"
    submission.cell("softmax")["source"] = code + "    return größen / größen.sum(axis, keepdims=True)\n"
    submission.data = submission.text().encode("latin-1", "replace")
