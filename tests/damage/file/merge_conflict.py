"""A git merge that was committed with its marks: both sides of an answer, of a count and of an output."""

import json

REPAIRS = {"conflict_resolved"}
FLAGS = {"merge_conflict"}


def damage(submission):
    mine = json.dumps(submission.cell("softmax")["source"])
    stub = json.dumps(submission.stub("softmax"))
    text = submission.text()
    head, tail = text.split(f'   "source": {mine}\n', 1)
    conflict = f'<<<<<<< HEAD\n   "source": {stub}\n=======\n   "source": {mine}\n>>>>>>> week1\n'
    more = '<<<<<<< HEAD\n "nbformat_minor": 5\n=======\n "nbformat_minor": 4\n>>>>>>> week1\n'
    submission.data = (head + conflict + tail.replace(' "nbformat_minor": 5\n', more)).encode()
