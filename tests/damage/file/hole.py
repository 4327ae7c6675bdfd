"""A few kilobytes lost in the middle of the file: one cell is broken, those before and behind it are whole."""

LOST = ("causal_mask",)
REPAIRS = {"salvaged", "test_restored"}
FLAGS = {"damaged_file"}


def damage(submission):
    text = submission.text()
    start = text.index("def causal_mask") + 20
    submission.data = (text[:start] + text[text.index('"causal_mask_type"') :]).encode()
