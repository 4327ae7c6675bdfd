"""The cells copied into a new Colab notebook: format 4.0, no cell ids but those that Colab gives in the metadata."""

from damage.harness import saved_by_colab, token


def damage(submission):
    for number, cell in enumerate(submission.cells):
        cell["metadata"]["id"] = token(f"colab {number}")
        del cell["id"]
    submission.notebook["nbformat_minor"] = 0
    saved_by_colab(submission.notebook)
