"""From a Mac's memory stick: beside the notebook lies its shadow, which is no notebook."""


def damage(submission):
    submission.files["._attention.ipynb"] = b"\x00\x05\x16\x07\x00\x02\x00\x00Mac OS X"
