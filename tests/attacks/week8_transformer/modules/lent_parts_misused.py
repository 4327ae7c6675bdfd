"""Calls the parts that the examiner lends with names, numbers, states and gradients that it never sends itself."""

from attacks.content import misuse_lent_parts


def attack(submission):
    misuse_lent_parts(submission)
