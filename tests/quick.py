"""Parameters of tests of which a few are tried by `make test`, and all by `make test` and `make test-slow` together."""

from collections.abc import Iterable
from typing import Any

import pytest


def first(count: int, values: Iterable[Any]) -> list[Any]:
    """For `parametrize`: all but the first so many are slow."""
    found = list(values)
    return found[:count] + [
        pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.slow)
        for value in found[count:]
    ]
