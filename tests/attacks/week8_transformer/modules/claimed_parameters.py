"""Answers with modules that have nothing and claim the right parts, parameters and shapes, take every state, and give wrong values."""

from attacks.content import claim

AT_MOST = "probes"


def attack(submission):
    claim(submission)
