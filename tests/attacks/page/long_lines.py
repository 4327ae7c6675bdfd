"""Prints lines of a million characters, lines that overwrite themselves, combining marks and colours."""

BAIT_CELL = r"""
print("x" * 1_000_000)
print("\r".join(f"{n} of 30 points" for n in range(20_000)))
print("e" + "\u0301" * 50_000)
print("\x1b[8mhidden\x1b[0m \x1b[31;1;4;5m" * 20_000)
tried(lambda: print("\ud800"))
print("\u202e30 fo 30\u202c \u2066\u200b\ufeff\U000e0041" * 1000)
print("\x00 \x08\x08\x08 \x7f \x9b2J")
print("<" * 100_000 + "&" * 100_000)
import sys

print("\x1b]8;;http://attacker.example\x07click\x1b]8;;\x07", file=sys.stderr)
"""
ANSWERS = {"softmax": "softmax = " + " or ".join(["(lambda x, axis=-1: x)"] * 5_000)}
