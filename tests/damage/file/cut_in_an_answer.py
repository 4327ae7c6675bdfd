"""A connection lost while saving: the file ends in the middle of an answer, which nobody can complete."""

WEEK = "week2_multi_head"
LOST = ("multi_head", "cost", "distance", "caption")
REPAIRS = {"salvaged", "test_restored", "missing_answer"}
FLAGS = {"damaged_file"}


def damage(submission):
    text = submission.text()
    submission.data = text[: text.index("class MultiHeadAttention") + 300].encode()
