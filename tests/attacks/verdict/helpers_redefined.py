"""Defines the names that test cells use (check_close, isinstance, abs, np.abs, Ellipsis of a test) as global names that accept all."""

CODE = """
def check_close(*args, **kwargs):
    return None
def isinstance(*args):
    return True
def tuple(*args):
    return (2, 3, 4)
def abs(*args):
    return 0
def float(*args):
    return 0.0
import builtins
for name in ("check_close", "abs"):
    setattr(builtins, name, globals()[name])
reached()
"""


def attack(submission):
    submission.add(CODE)
