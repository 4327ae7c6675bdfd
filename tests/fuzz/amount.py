"""How much the fuzz tests try: a little in `make test`, more in the slow ones. The same each time."""

import pytest
from hypothesis import HealthCheck, settings


def settings_for(examples: int) -> settings:
    """Hypothesis's settings of a property."""
    return settings(
        max_examples=examples,
        deadline=None,
        derandomize=True,
        database=None,
        suppress_health_check=list(HealthCheck),
    )


def amount(quick: int, slow: int):
    """Run a test twice, with so many examples; it takes `tries`, a decorator for its property."""
    return pytest.mark.parametrize(
        "tries",
        [
            pytest.param(settings_for(quick), id="quick"),
            pytest.param(settings_for(slow), id="slow", marks=pytest.mark.slow),
        ],
    )
