"""Copied from a web page that indents with spaces which are none to Python."""

REPAIRS = {"characters_restored"}


def damage(submission):
    for name in ("softmax", "causal_mask"):
        cell = submission.cell(name)
        cell["source"] = cell["source"].replace("    ", "\u00a0\u00a0\u00a0\u00a0")
