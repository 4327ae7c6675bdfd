"""Tests unlocked in the sidebar, with a line added to look at a value; Colab does not enforce the lock at all."""

REPAIRS = {"test_edited"}


def damage(submission):
    for cell in submission.tests("softmax") + submission.tests("causal_mask"):
        cell["metadata"]["nbgrader"]["locked"] = False
        cell["source"] = cell["source"].replace("\n", '\nprint("here")\n', 1)
