"""Recurses without a limit: in Python, in C through nested objects and the parser, and in a source."""

BAIT_CELL = r"""
# reached() stands in the next cell.
tried(
    lambda: eval("(" * 300 + ")" * 300),
    lambda: compile("-" * 100_000 + "1", "x", "eval"),
    lambda: exec("f" + "()" * 100_000),
)
display({"text/plain": "x", "application/json": {}}, raw=True)
"""
DOWN = r"""
import sys

sys.setrecursionlimit(1 << 30)
nested = []
for _ in range(200_000):
    nested = [nested]
reached()
print(nested == [nested], repr(nested))


def down():
    down()


down()
"""
CLOSED = "(RecursionError, SyntaxError)"


def attack(submission):
    submission.add(DOWN)
    submission.cell("attention")["source"] = "x = " + "-" * 90_000 + "1"
