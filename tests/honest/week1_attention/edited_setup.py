"""Adds imports to the setup cell, changes the theme there, and empties a given cell's helper."""

REPAIRS = {"given_edited"}


def habit(submission):
    submission["setup"] += "\nfrom itertools import product\nimport seaborn\nseaborn.set_theme(style='dark')"
    submission["causal_mask"] = """
def causal_mask(length):
    mask = torch.zeros(length, length).bool()
    for row, column in product(range(length), repeat=2):
        mask[row, column] = row >= column
    return mask
"""
