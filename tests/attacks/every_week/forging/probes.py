"""Answers every probe with the right implementations, which it has in a text, while the answers stay stubs."""

from attacks.content import forge

AT_MOST = "probes"


def attack(submission):
    forge(submission)
