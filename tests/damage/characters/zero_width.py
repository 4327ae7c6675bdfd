"""Copied from a chat that puts invisible characters between words and at the start."""

REPAIRS = {"characters_restored"}


def damage(submission):
    cell = submission.cell("attention")
    cell["source"] = "\ufeff" + cell["source"].replace(" = ", " \u200b=\u200b ").replace(
        "return", "\u2060return"
    )
