"""What a docstring shows is what Python answers."""

import doctest
import importlib
from pathlib import Path

import pytest

import coursekit

PACKAGE = Path(coursekit.__file__).parent
WITH_EXAMPLES = sorted(path for path in PACKAGE.rglob("*.py") if ">>> " in path.read_text(encoding="utf-8"))


@pytest.mark.parametrize("path", WITH_EXAMPLES, ids=[path.stem for path in WITH_EXAMPLES])
def test_examples_are_true(path):
    name = ".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts).removesuffix(".__init__")
    tried = doctest.testmod(importlib.import_module(name))
    assert not tried.failed
