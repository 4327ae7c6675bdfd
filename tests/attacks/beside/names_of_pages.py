"""Hands in files whose names are markup, escapes, formulas and options of commands, with a module that prints them."""

NAMES = (
    "<script>alert(1)<\\script>.py",
    "--help.py",
    "-rf",
    "$(touch x).csv",
    "=HYPERLINK(1).csv",
    "\x1b[2J.txt",
    "\u202egpj.py",
    "a\nb.txt",
    "'\"`.py",
    "%s%n.txt",
)
FILES = dict.fromkeys(NAMES, b"scaled_dot_product_attention; torch._C; eval(1)\n")
CELL = """
import os
seen = os.listdir(".")
print(seen)
reached("--help.py" in seen)
"""
