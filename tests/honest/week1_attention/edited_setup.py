"""Adds imports to the setup cell, changes the theme there, and empties a given cell's helper."""

MENDED = {"given_edited"}


def habit(submission):
    submission.answer(
        "setup",
        submission.source("setup")
        + "\nfrom itertools import product\nimport seaborn as sns\nsns.set_theme(style='dark')",
    )
    submission.answer(
        "causal_mask",
        """
def causal_mask(length):
    mask = torch.zeros(length, length).bool()
    for row, column in product(range(length), repeat=2):
        mask[row, column] = row >= column
    return mask
""",
    )
