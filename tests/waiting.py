"""Waiting for what another process does."""

import time


def wait_until(condition, seconds=60):
    """What `condition()` returns as soon as it is true; fails after so many seconds."""
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.01)
    return found
