"""Waits for an answer that never comes: input, getpass, descriptor 0, the terminal and the stdin channel."""

BAIT_CELL = r"""
import getpass, os, sys

tried(
    lambda: input("your password? "),
    lambda: getpass.getpass(),
    lambda: repr(os.read(0, 10)),
    lambda: repr(sys.stdin.read(5)),
    lambda: open("/dev/tty").read(1),
    lambda: open("/dev/stdin").read(1),
    lambda: get_ipython().kernel.raw_input("x"),
    lambda: os.popen("read x; echo $x").read(),
    # This one waits for ever.
    lambda: reached() or get_ipython().kernel._input_request("x", [b"x"], {}),
)
"""
CLOSED = "(NotImplementedError,)"
