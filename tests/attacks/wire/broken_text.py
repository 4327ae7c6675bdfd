"""Raises and returns text of lone surrogates, control characters, null bytes and megabytes."""

ANSWER = r"""
BAD = "\ud800\udfff\x00\x1b[2J\x1b]0;passed\x07\u202e\r\n" + "\u0000" * 1000

class Odd(Exception):
    def __str__(self):
        reached()
        return BAD + "x" * 3_000_000
Odd.__name__ = Odd.__qualname__ = "\x1b[2J\u202e\r\n<b>"  # Python takes no surrogate and no null in it

kinds = [lambda: BAD, lambda: {BAD: BAD}, lambda: (BAD, [BAD]), lambda: float("nan"), lambda: 1 << 4000, lambda: -(1 << 4096), lambda: {1, float("nan")}]

def give(*args, **kwargs):
    kinds.append(kinds.pop(0))
    if len(args) > 1:
        raise Odd
    return kinds[0]()
"""
