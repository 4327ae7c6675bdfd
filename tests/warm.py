"""Fork servers that are warm already, for classes that are graded in the tests' own process."""

from contextlib import contextmanager, nullcontext

import pytest

# What the kernels of this course import.
MODULES = ("torch", "numpy", "matplotlib.pyplot", "seaborn")


@contextmanager
def lent(servers):
    """A class, or the doctor, gets these servers wherever it would start the like: that costs five core-seconds."""
    from coursekit import doctor
    from coursekit.grading import diagnosis, faults, place, warm_start

    start = place.Servers

    def lend(unsafe, modules, **settings):
        return (
            nullcontext(servers)
            if set(modules) <= set(MODULES) and not unsafe
            else start(unsafe, modules, **settings)
        )

    # A patch of its own: a test that undoes its other patches keeps this one.
    with pytest.MonkeyPatch.context() as patch:
        for module in (diagnosis, place, faults, doctor):
            patch.setattr(module, "Servers", lend)
        patch.setattr(warm_start, "start_servers", lambda *_: None)
        yield
