"""Computes for ever with every signal ignored or blocked, in a call that does not come back to Python."""

BAIT_CELL = r"""
import ctypes, signal, sys

for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
    try:
        signal.signal(number, signal.SIG_IGN)
    except (OSError, ValueError):
        pass
signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
sys.setswitchinterval(1e9)
reached()
ctypes.CDLL(None).pause()
"""
