"""How much is tried: by `make test`, by `make test` and `make test-slow` together, and with COURSE_ALL=1."""

import os
from collections.abc import Iterable
from typing import Any

import pytest

# Whether slow tests try all that they could, which takes hours on two cores.
ALL = bool(os.environ.get("COURSE_ALL"))


def first(count: int, values: Iterable[Any]) -> list[Any]:
    """For `parametrize`: all but the first so many are slow."""
    found = list(values)
    return found[:count] + [
        pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.slow)
        for value in found[count:]
    ]
