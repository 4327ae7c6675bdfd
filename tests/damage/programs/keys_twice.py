"""Merged by a tool that keeps both sides' lines: keys stand twice, and as in every reader the last one counts."""


def damage(submission):
    text = submission.text()
    text = text.replace('"cell_type": "code",', '"cell_type": "raw",\n   "cell_type": "code",')
    text = text.replace('"source": ', '"source": "x = 1",\n   "source": ')
    submission.data = text.replace('"nbformat": 4', '"nbformat": 3,\n "nbformat": 4').encode()
