"""Has many children hold a part each: private, shared with nobody counting it, and in files without a name."""

BAIT_CELL = r"""
import mmap, os, time

for number in range(40):
    if os.fork() == 0:
        try:
            block = mmap.mmap(-1, 300 << 20)
            for part in range(300):
                block.write(bytes(1 << 20))
                reached(part > 100)
            mine = bytearray(200 << 20)
        except (OSError, MemoryError):
            pass
        time.sleep(1000)
time.sleep(1000)
"""
