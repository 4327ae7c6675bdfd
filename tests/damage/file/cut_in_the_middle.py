"""A disk that was full: the file ends in the middle, inside a test. What stands before it is whole."""

LOST = ("padding_mask", "scaling", "self_attention", "why_three")
REPAIRS = {"salvaged", "test_restored", "missing_answer"}
FLAGS = {"damaged_file"}


def damage(submission):
    text = submission.text()
    submission.data = text[: text.index('"# @title Test', text.index('"causal_mask_type"')) + 60].encode()
