"""Compressed by a server and never unpacked."""

import gzip

REPAIRS = {"unpacked"}


def damage(submission):
    submission.data = gzip.compress(submission.text().encode())
