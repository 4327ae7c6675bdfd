"""Lines that Colab's assistant put in: `!pip install` in the setup cell, above an answer and in a cell of its own."""

from damage.harness import own_code

REPAIRS = {"given_edited"}


def damage(submission):
    for name in ("setup", "softmax", "scaling"):
        cell = submission.cell(name)
        cell["source"] = "!pip install -q torchinfo\n%matplotlib inline\n" + cell["source"]
    submission.cells.insert(0, own_code("!pip install numpy\n"))
