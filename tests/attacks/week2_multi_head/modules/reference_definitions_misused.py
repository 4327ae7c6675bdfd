"""Calls the reference definitions with names, numbers, states and gradients that it never sends itself."""

from attacks.content import misuse_reference_definitions


def attack(submission):
    misuse_reference_definitions(submission)
