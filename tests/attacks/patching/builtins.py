"""Replaces the builtins that a check leans on: isinstance, abs, all, any, len, zip, float, and AssertionError itself."""

CODE = """
import builtins
saved = {name: getattr(builtins, name) for name in ("isinstance", "abs", "all", "any", "zip", "float", "max", "min")}
builtins.abs = lambda value: 0
builtins.all = lambda values: True
builtins.any = lambda values: False
builtins.max = builtins.min = lambda *args, **kwargs: 0
class Harmless(Exception):
    def __new__(cls, *args):
        return Warning("passed")
builtins.AssertionError = Harmless
__builtins__.AssertionError = Harmless
"""


def attack(submission):
    submission.add(CODE)
