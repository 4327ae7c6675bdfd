"""A notebook's run from top to bottom: what its kernel says beside the notebook."""

import pytest
from nbclient.exceptions import DeadKernelError
from small_course import code, notebook_of

from coursekit.authoring.checks.execution import errors, execute

# To where it was started from, past the pipe by which ipykernel makes an output of it, if it has one: not in tests.
BESIDE = "import os, sys\n_ = os.write(getattr(sys.stderr, '_original_stdstream_copy', 2), b'said beside')"


def run(*sources, **options):
    cells = [code(f"cell{number}", source) for number, source in enumerate(sources)]
    return execute(notebook_of(*cells), **options)


@pytest.mark.slow
def test_what_a_kernel_says_beside_the_notebook_is_not_printed(capfd):
    assert run(BESIDE).outputs == []
    assert "said beside" not in capfd.readouterr().err


@pytest.mark.slow
def test_a_cell_that_ends_its_kernel_has_an_error_that_tells_what_that_said():
    (error,) = errors(run(f"{BESIDE}\nos._exit(1)", "print('later')"))
    assert error[:2] == ("cell0", "DeadKernelError") and "said beside" in error[2]


@pytest.mark.slow
def test_a_cell_that_takes_too_long_has_an_error():
    (error,) = errors(run("while True: pass", "print('later')", timeout=5))
    assert error[:2] == ("cell0", "CellTimeoutError")


@pytest.mark.slow
def test_a_kernel_that_ends_behind_the_last_cell_is_not_passed_over():
    with pytest.raises(DeadKernelError):
        run("import os\nget_ipython().events.register('pre_run_cell', lambda info: os._exit(1))")
