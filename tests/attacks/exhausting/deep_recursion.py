"""Recurses in Python with the limit off, in C through nested objects, and in what the grader reads:
sources, values, messages and saved outputs."""

CODE = r"""
import sys

sys.setrecursionlimit(1 << 30)
nested = []
for _ in range(200_000):
    nested = [nested]
tried(
    lambda: repr(nested),
    lambda: eval("(" * 300 + ")" * 300),
    lambda: compile("-" * 100_000 + "1", "x", "eval"),
    lambda: nested == nested[0],
)
display({"text/plain": "x", "application/json": {}}, raw=True)


def softmax(x, axis=-1):
    return nested


def causal_mask(length):
    return causal_mask(length)


def down():
    down()


down()
"""


def attack(submission):
    submission.add(submission.bait.cell(CODE))
    submission.answer("softmax", "pass")
    submission.cell("attention")["source"] = "x = " + "-" * 90_000 + "1"
