"""Saved as "Unicode" by an old Windows editor: UTF-16 with a byte order mark."""

WEEK = "week5_tokenizer"


def damage(submission):
    submission.data = submission.text().encode("utf-16")
