"""Answers with lists a hundred thousand deep, and with a function that calls itself without end and without a limit."""

CODE = r"""
import sys

def softmax(x, axis=-1):
    reached()
    nested = []
    for _ in range(200_000):
        nested = [nested]
    return nested
"""
ENDLESS = r"""
import sys

def causal_mask(length):
    sys.setrecursionlimit(1 << 30)
    return causal_mask(length)
"""


def attack(submission):
    submission.answer("softmax", CODE)
    submission.answer("causal_mask", ENDLESS)
