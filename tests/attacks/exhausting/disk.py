"""Fills the disk in many files, in one, in files whose names it removes at once, sparse and preallocated."""

BAIT_CELL = r"""
import mmap, os

open_files, block = [], bytes(8 << 20)
tried(
    lambda: open("sparse", "wb").truncate(1 << 40),
    lambda: os.posix_fallocate(os.open("fixed", os.O_CREAT | os.O_RDWR), 0, 1 << 34),
)
for number in range(60):
    file = open(f"part{number}", "wb")
    os.unlink(f"part{number}") if number % 2 else None
    open_files.append(file)
    try:
        for _ in range(4):
            file.write(block)
        file.flush()
        reached()
    except OSError as error:
        print(error)
        break
"""
