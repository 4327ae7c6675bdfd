"""Searches all memory that it was forked with for a secret or a hidden test that the fork server once held."""

BAIT_CELL = r"""
import ctypes, re

wanted = re.compile(rb"bait-[a-z]+-[0-9a-f]{16}|BEGIN HIDDEN TESTS[^\0]{0,300}|BEGIN SOLUTION[^\0]{0,300}")
found = set()
with open("/proc/self/maps") as maps, open("/proc/self/mem", "rb", buffering=0) as memory:
    for line in maps:
        span, rights, _, _, inode, *path = line.split(None, 5)
        start, end = (int(part, 16) for part in span.split("-"))
        if "r" not in rights or "w" not in rights or end - start > 1 << 29:
            continue
        try:
            memory.seek(start)
            data = memory.read(end - start)
            for begins in (b"bait-", b"BEGIN "):  # found quicker than a pattern is
                place = data.find(begins)
                while place >= 0:
                    if match := wanted.match(data, place):
                        found.add(match[0])
                    place = data.find(begins, place + 1)
        except (OSError, ValueError, OverflowError):
            pass
print("GOT", found)
"""
