"""Copied out of a database: the bare list of cells, without the notebook around it."""

import json


def damage(submission):
    submission.data = json.dumps(submission.cells).encode()
