"""The week opened on Colab from its badge and saved there: format 4.5, ids copied, outputs, a badge without an id."""

from damage.harness import saved_by_colab


def damage(submission):
    for cell in submission.cells:
        cell["metadata"]["id"] = cell["id"]
    submission.cell("softmax")["metadata"]["cellView"] = "form"
    saved_by_colab(submission.notebook)
