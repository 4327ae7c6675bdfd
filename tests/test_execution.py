"""A notebook's run from top to bottom: what its kernel says beside the notebook."""

import json

import pytest
from nbclient.exceptions import DeadKernelError
from small_course import code

from coursekit.checks.execution import execute

# To where it was started from, past the pipe by which ipykernel makes an output of it, if it has one: not in tests.
BESIDE = "import os, sys\n_ = os.write(getattr(sys.stderr, '_original_stdstream_copy', 2), b'said beside')"


def run(source):
    notebook = {"cells": [code("one", source)], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    return execute(json.dumps(notebook).encode())


@pytest.mark.slow
def test_what_a_kernel_says_beside_the_notebook_is_not_printed(capfd):
    assert run(BESIDE).outputs == []
    assert "said beside" not in capfd.readouterr().err


@pytest.mark.slow
def test_it_is_told_when_the_kernel_dies():
    with pytest.raises(DeadKernelError, match="said beside"):
        run(f"{BESIDE}\nos._exit(1)")
