"""Magics that do not exist while a notebook is graded cost nothing; other languages are not run as Python."""

import json

import pytest
import small_course
from IPython.core.interactiveshell import InteractiveShell
from small_course import cells, code, master_of
from student_kernel import run, text

from coursekit.engine.coordinator.grade import grade
from coursekit.engine.reader.repair import rebuild
from coursekit.engine.shared import cell_magics
from coursekit.engine.shared.limits import Limits
from coursekit.engine.shared.master import fill
from coursekit.engine.shared.reasons import Repair

MASTER = master_of(*cells())
DOUBLE = "def double(x):\n    return x + x"
# What is computed below a magic is lost where the magic ends the cell.
COMPUTED = "TWO = sum([1, 1])\ndef double(x):\n    return TWO * x"
REGISTER = "from IPython.core.magic import register_cell_magic\n@register_cell_magic\ndef shout(line, cell):\n    pass"
STUB = MASTER.stub(MASTER.cells[3])


def notebook_of(answer, *above):
    notebook = json.loads(fill(MASTER, small_course.RIGHT | {"double": answer}))
    notebook["cells"][2:2] = [code(f"own{number}", source) for number, source in enumerate(above)]
    return json.dumps(notebook).encode()


@pytest.fixture
def graded(servers):
    """A function: an answer, and cells of the student's own above it, to the result."""

    def graded(answer, *above):
        return grade(MASTER, notebook_of(answer, *above), Limits(cell_seconds=1), servers).result

    return graded


def test_every_cell_magic_of_ipython_is_known():
    shell = InteractiveShell()
    assert set(shell.magics_manager.magics["cell"]) - {"!", "cmd"} <= cell_magics.KNOWN


def skipped(answer, *above):
    """The magics that repair skips in a notebook, by cell, and the source of the answer."""
    draft = rebuild(MASTER, notebook_of(answer, *above))
    notes = [(note.cell, note.values["name"]) for note in draft.repairs if note.kind == Repair.MAGIC_SKIPPED]
    return notes, next(
        item.source for item in draft.cells if item.master and item.master.grade_id == "double"
    )


@pytest.mark.parametrize(
    ("magic", "names"),
    [
        ("%%memit", ["memit"]),
        ("%%memit -r 3 -c", ["memit"]),
        ("%%" + "x" * 300, ["x" * 40]),
        ("\n\n%%memit", ["memit"]),
        ("%%memit\n%%wandb", ["memit", "wandb"]),
        ("%%time\n\n%%memit", ["memit"]),
        ("%%memit\n%%time", ["memit"]),
        ("%%time", []),
        ("%%capture out", []),
        ("# my answer", []),
        ("%matplotlib inline", []),
    ],
)
def test_a_cell_magic_that_does_not_exist_is_skipped(magic, names):
    notes, source = skipped(f"{magic}\n{DOUBLE}")
    assert notes == [("double", name) for name in names]
    assert source.endswith(f"\n{DOUBLE}") and len(source.splitlines()) == len(
        f"{magic}\n{DOUBLE}".splitlines()
    )
    assert bool(names) == (source != f"{magic}\n{DOUBLE}")


@pytest.mark.parametrize(
    "own",
    [
        "%%R\ndouble = 3",
        "%%unheard_of\nSELECT double FROM week1",
        "%%unheard_of\n<b>double</b>",
        "%%bash\ndouble=3",
        "%%python\ndouble = 3",
        "%%writefile double.py\ndouble = 3",
    ],
)
def test_other_languages_are_not_run_as_python(servers, own):
    """Below the answer, such a cell would change the name."""
    assert skipped(DOUBLE, own)[0] == []
    notebook = json.loads(notebook_of(DOUBLE))
    notebook["cells"].insert(4, code("own", own))
    assert grade(MASTER, json.dumps(notebook).encode(), Limits(), servers).result.score == 5


def test_a_magic_of_the_notebooks_own_is_left():
    assert skipped(f"%%shout\n{DOUBLE}", REGISTER)[0] == []
    assert skipped(f"%%t\n{DOUBLE}", "%alias_magic t time")[0] == []
    assert skipped(f"%%memit\n{DOUBLE}", REGISTER)[0] == [("double", "memit")]


@pytest.mark.parametrize("cells", [(f"%%memit\n{STUB}",), (STUB, f"%%writefile double.py\n{DOUBLE}")])
def test_a_magic_above_the_stub_and_a_file_that_a_cell_writes_are_no_answer(cells):
    draft = rebuild(MASTER, notebook_of(*cells))
    assert not any(item.touched for item in draft.cells if item.master and item.master.grade_id == "double")


@pytest.mark.parametrize("magic", ["%%memit", "%%capture", "%%time\n%%wandb"])
def test_the_code_below_a_cell_magic_counts(graded, magic):
    assert graded(f"{magic}\n{COMPUTED}").score == 5


@pytest.mark.parametrize("magic", ["%%memit", "%%time"])
@pytest.mark.parametrize("stops", [f"{DOUBLE}\n1 / 0", f"1 / 0\n{DOUBLE}"])
def test_what_a_cell_with_a_magic_defines_is_kept_when_it_stops(graded, magic, stops):
    assert graded(f"{magic}\n{stops}").score == 5


@pytest.mark.slow
def test_what_a_timed_cell_defines_is_kept_when_its_time_is_up(graded):
    assert graded(f"%%time\n{DOUBLE}\nwhile True:\n    pass").score == 5


@pytest.mark.parametrize(
    "line",
    [
        "%lprun -f double double(2)",
        "%load_ext memory_profiler",
        "%matplotlib widget",
        "%config Nonsense.x = 1",
        "%cd /content/drive/MyDrive",
        "%env X=1",
        "%%memit",  # below a comment, IPython takes it for a line magic
        "used = %memit -o double(2)",
        "if True:\n    %memit 1",
        "get_ipython().run_line_magic('memit', '1')",
        "get_ipython().run_line_magic('load_ext', 'memory_profiler')",
        "get_ipython().magic('memit 1')",
        "get_ipython().magic('%matplotlib inline')",
    ],
)
def test_a_line_magic_that_the_grader_lacks_ends_no_cell(kernel, line):
    done = run(kernel, f"# A comment\n{line}\nbelow = sum([1, 1])\nprint('below', below)")
    assert done.ended == "ok" and "below 2" in text(done)


def test_a_magic_that_was_skipped_is_named(kernel):
    assert "%memit does not exist" in text(run(kernel, "%memit 1"))
    assert "No module named 'memory_profiler'" in text(run(kernel, "%load_ext memory_profiler"))


@pytest.mark.parametrize("line", ["%run missing.py", "%time 1 / 0"])
def test_a_magic_that_runs_code_raises_its_error(kernel, line):
    assert run(kernel, line).ended == "error"


def test_the_error_of_a_magic_shows_nothing_of_the_grader(kernel):
    assert not any("coursekit" in str(output) for output in run(kernel, "%time 1 / 0").outputs)


def test_a_line_magic_sees_the_names_around_it(kernel):
    """IPython looks for them so many frames above."""
    source = """
        def inner(n):
            local = n + 1
            %time other = local + 1
            get_ipython().run_line_magic('env', 'WHERE={local}')
            get_ipython().magic('env HERE={local}')
        import os
        inner(1)
        print(os.environ['WHERE'], os.environ['HERE'])
    """
    assert text(run(kernel, source)).endswith("2 2\n")
