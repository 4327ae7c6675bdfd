"""Repair: the structure of the master, the answers of the student, and a note for each repair."""

import gc
import gzip
import json
import sys
import time
from concurrent.futures import ThreadPoolExecutor

import nbformat
import pytest
from drafts import answer, by_id, handed_in, inserted, replaced, zipped
from hypothesis import given, settings
from hypothesis import strategies as st
from quick import first
from small_course import cells, code, master_of, triple_cells

from coursekit.engine.reader.repair import UnreadableFile, layout, rebuild, unpack
from coursekit.engine.reader.repair.code import parse
from coursekit.engine.shared.master import fill

ANSWERS = {
    "double": "def double(x):\n    return 2 * x",
    "triple": "def triple(x):\n    return x * 3",
    "why": "Because.",
}


PICTURE = code("picture", "print([double(x) + triple(x) for x in range(3)])")
MASTER = master_of(*cells(), *triple_cells(), PICTURE)
STUB = MASTER.stub(MASTER.cells[3])


def rebuilt_after(change):
    """What is rebuilt from the filled notebook after this change of its cells; every cell of the master is there."""
    rebuilt = rebuild(MASTER, handed_in(MASTER, change, ANSWERS))
    check_whole(rebuilt)
    return rebuilt


def kinds(notes):
    return sorted({note.kind for note in notes})


def check_whole(rebuilt):
    """Every cell of the master is there, in order, with its own source unless it is the student's."""
    ours = [item for item in rebuilt.cells if item.master]
    assert [item.master for item in ours] == list(MASTER.cells)
    for item in ours:
        if item.master.role in ("given", "test"):
            assert item.source == item.master.source


def test_a_clean_submission_needs_no_repair():
    rebuilt = rebuilt_after(lambda found: None)
    assert (rebuilt.repairs, rebuilt.flags) == ([], [])
    assert {name: answer(rebuilt, name).source for name in ANSWERS} == ANSWERS
    assert all(answer(rebuilt, name).touched for name in ANSWERS)


def as_colab_4_0(found):
    for cell in found:
        cell["metadata"]["id"] = cell.pop("id")
        cell["source"] = cell["source"].splitlines(keepends=True)
    found.insert(0, {"cell_type": "markdown", "metadata": {"id": "view-in-github"}, "source": ["badge"]})


def without_metadata(found):
    for cell in found:
        cell["metadata"] = {}


def without_anything(found):
    without_metadata(found)
    for cell in found:
        cell.pop("id")


def drop(*names):
    def change(found):
        found[:] = [cell for cell in found if cell["id"] not in names]

    return change


def move_triple_up(found):
    found.insert(1, found.pop(found.index(by_id(found, "triple"))))


def skip_tests(found):
    for cell in found:
        if cell["metadata"].get("nbgrader", {}).get("grade"):
            cell["metadata"]["tags"] = ["skip-execution"]


def more_points(found):
    by_id(found, "double-values")["metadata"]["nbgrader"]["points"] = 100


def copy_double(source, above=False):
    def change(found):
        copy = json.loads(json.dumps(by_id(found, "double"))) | {"id": "copy", "source": source}
        inserted("double", copy, above=above)(found)

    return change


def as_markdown(found):
    cell = by_id(found, "double")
    cell["cell_type"] = "markdown"
    cell.pop("outputs"), cell.pop("execution_count")


def typed_above_the_test(text):
    def change(found):
        test = by_id(found, "double-values")
        test["source"] = f"{text}\n{test['source']}"

    return change


@pytest.mark.parametrize(
    ("change", "repairs", "flags"),
    [
        (as_colab_4_0, [], []),
        (without_metadata, ["metadata_restored"], []),
        (without_anything, ["metadata_restored"], []),
        (drop("setup", "picture"), ["cell_restored"], []),
        (drop("double-values"), ["test_restored"], []),
        (drop("intro", "double-why"), [], []),
        (move_triple_up, ["reordered"], []),
        (more_points, ["points_restored"], ["points_tampered"]),
        (skip_tests, [], ["test_tampered"]),
        (replaced("import math\nimport random", "setup"), ["given_edited"], []),
        (replaced("pass", "double-values"), ["test_edited"], []),
        (copy_double(STUB), ["duplicate_answer_dropped"], []),
        (copy_double(STUB, above=True), ["duplicate_answer_dropped"], []),
        (as_markdown, ["cell_type_restored"], []),
    ],
)
def test_each_change_of_the_structure_is_repaired(change, repairs, flags):
    rebuilt = rebuilt_after(change)
    assert (kinds(rebuilt.repairs), kinds(rebuilt.flags)) == (repairs, flags)
    assert answer(rebuilt, "double").source == ANSWERS["double"]
    assert answer(rebuilt, "triple").source == ANSWERS["triple"]


def test_the_last_copy_with_an_answer_counts():
    rebuilt = rebuilt_after(copy_double("def double(x):\n    return x + x"))
    assert answer(rebuilt, "double").source.endswith("x + x")
    assert ANSWERS["double"] in [item.source for item in rebuilt.cells if item.master is None and item.run]


def test_a_missing_answer_is_the_stub():
    rebuilt = rebuilt_after(drop("double"))
    assert kinds(rebuilt.repairs) == ["missing_answer"] and not answer(rebuilt, "double").touched


# What nbgrader writes instead of a solution region if a course sets nothing.
DEFAULT_STUB = "# YOUR CODE HERE\n    raise NotImplementedError()"


@pytest.mark.parametrize("own_line", [True, False])
def test_nbgraders_own_stub_is_no_answer(own_line):
    """Both if the author wrote a line that raises, and if the stub's line is the only one."""
    some = cells()
    solution = by_id(some, "double")
    if not own_line:
        solution["source"] = solution["source"][: solution["source"].index("\n    raise")]
    head, _, rest = solution["source"].partition("### BEGIN SOLUTION")
    released = head + DEFAULT_STUB + rest.partition("### END SOLUTION")[2]
    master = master_of(*some)
    assert "raise NotImplementedError(" in master.stub(master.cells[3])

    untouched = rebuild(master, handed_in(master, answers={"double": released}))
    assert untouched.answered == 0 and untouched.repairs == []
    mine = inserted("double", code("mine", ANSWERS["double"]), above=True)
    above = rebuild(master, handed_in(master, mine, {"double": released}))
    assert kinds(above.repairs) == ["answer_found_elsewhere"] and not answer(above, "double").run
    run = [item.source for item in above.cells if item.run and "def double" in item.source]
    assert run == [ANSWERS["double"]]


def test_an_answer_in_another_cell_is_found():
    def change(found):
        by_id(found, "double")["source"] = STUB
        found.append(code("mine", ANSWERS["double"]))

    rebuilt = rebuilt_after(change)
    assert kinds(rebuilt.repairs) == ["answer_found_elsewhere"]
    stub = answer(rebuilt, "double")
    found = rebuilt.cells[rebuilt.cells.index(stub) + 1]
    assert (stub.run, found.run, found.source) == (False, True, ANSWERS["double"])


def test_the_whole_notebook_in_one_cell():
    def change(found):
        found[:] = [code("all", "\n\n".join([ANSWERS["double"], ANSWERS["triple"]]))]

    rebuilt = rebuilt_after(change)
    for name in ("double", "triple"):
        assert answer(rebuilt, name).source == ANSWERS[name]


def test_added_cells_stay_where_they_were():
    helper = code("helper", "def helper(x):\n    return x")
    rebuilt = rebuilt_after(inserted("double", helper, above=True))
    above = rebuilt.cells[rebuilt.cells.index(answer(rebuilt, "double")) - 1]
    assert (above.source, above.run, rebuilt.repairs) == (helper["source"], True, [])


def test_an_edited_given_cell_runs_beside_the_original():
    rebuilt = rebuilt_after(replaced("import math\nimport random", "setup"))
    sources = [item.source for item in rebuilt.cells if item.kind == "code" and item.run]
    assert sources[:2] == ["import math", "import math\nimport random"]


WHOLE = fill(MASTER, ANSWERS)
TEXT = WHOLE.decode()


@pytest.mark.parametrize(
    ("data", "why"),
    [
        (b"", "nothing"),
        (WHOLE[:60], "cut_off"),
        (b"PK\x03\x04 a zip", "broken_archive"),
        (b"\x1f\x8b no gzip", "broken_archive"),
        (b'<html><p class="jp-CodeCell-not">Too many users</p>', "web_page"),
        *((start + bytes(9), "other_format") for start in (b"%PDF-1.7", b"{\\rtf1", b"GIF89a", b"bplist00")),
        (b"Dear teacher, my answer is x = 3.", "not_json"),
        (b"# Read me\n\nHand in `attention.ipynb`.\n\n```\npip install torch\n```\n", "not_json"),
        (b"[1, 2]", "not_a_notebook"),
        (b'{"a": 1}', "no_cells"),
        (b"[" * 100_000, "too_deep"),
    ],
)
def test_a_file_that_is_no_notebook_has_a_reason(data, why):
    with pytest.raises(UnreadableFile, match=why):
        rebuild(MASTER, data)


@pytest.mark.parametrize("start", ["", '"""Week 1"""\n', "42\n"])
def test_a_python_file_is_read_however_it_begins(start):
    rebuilt = rebuild(MASTER, f"{start}{ANSWERS['double']}\n".encode())
    assert "converted" in kinds(rebuilt.repairs) and ANSWERS["double"] in answer(rebuilt, "double").source


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-8"])
def test_encodings_and_line_ends(encoding):
    text = TEXT.replace("\n", "\r\n") if encoding == "utf-8" else TEXT
    assert rebuild(MASTER, text.encode(encoding)).repairs == []


@settings(max_examples=100)
@given(st.integers(0, len(TEXT)), st.sampled_from(["utf-8", "utf-16"]))
def test_cut_anywhere_what_is_whole_is_graded(place, encoding):
    try:
        rebuilt = rebuild(MASTER, TEXT[:place].encode(encoding))
    except UnreadableFile:
        assert place < TEXT.index('"source"') + 20
        return
    check_whole(rebuilt)
    for name, source in ANSWERS.items():
        there = place >= TEXT.index(json.dumps(source)) + len(json.dumps(source))
        assert answer(rebuilt, name).touched == there, name
    cut = place < TEXT.rindex("]")
    assert cut <= ("damaged_file" in kinds(rebuilt.flags))
    assert "nothing_recognised" not in kinds(rebuilt.flags) or rebuilt.answered == 0


LONG = """def double(x):
    values = []
    for one in (x, x):
        values.append(one)

    # their sum
    return sum(
        values
    )"""


@pytest.mark.parametrize("line", range(1, LONG.count("\n") + 1))
@pytest.mark.parametrize("named", [True, False])
def test_an_answer_split_at_any_line_is_put_together(line, named):
    def change(found):
        lines = LONG.split("\n")
        cell = by_id(found, "double")
        cell["source"] = "\n".join(lines[:line])
        other = json.loads(json.dumps(cell)) if named else code("other", "")
        inserted("double", other | {"id": "other", "source": "\n".join(lines[line:])})(found)

    rebuilt = rebuilt_after(change)
    assert answer(rebuilt, "double").source == LONG
    assert kinds(rebuilt.repairs) == ["cells_joined"]


@settings(max_examples=100)
@given(st.integers(1, 9), st.integers(1, 3))
def test_cells_merged_anywhere_are_taken_apart(start, count):
    def change(found):
        start_ = min(start, len(found) - 2)
        merged = found[start_ : start_ + 1 + count]
        if all(cell["cell_type"] == "code" for cell in merged):
            found[start_]["source"] = "\n\n".join(cell["source"] for cell in merged)
            del found[start_ + 1 : start_ + 1 + count]

    rebuilt = rebuilt_after(change)
    for name in ("double", "triple"):
        assert answer(rebuilt, name).source == ANSWERS[name]


def test_helpers_below_are_run_above():
    def change(found):
        by_id(found, "double")["source"] = "def double(x):\n    return twice(x)"
        found.append(code("one", "def twice(x):\n    return operator.mul(x, TWO)\n\n\nTWO = 2"))
        found.append(code("two", "import operator"))
        found.append(code("three", "def unrelated():\n    pass"))

    rebuilt = rebuilt_after(change)
    place = rebuilt.cells.index(answer(rebuilt, "double"))
    above = [item.source.split("(")[0] for item in rebuilt.cells[place - 2 : place]]
    assert above == ["import operator", "def twice"]
    assert rebuilt.cells[-1].source.startswith("def unrelated")
    assert kinds(rebuilt.repairs) == ["helper_moved"]


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("import os\nMINE = 1\ndef check(x):\n    return MINE", "import os\ndef check(x):\n    return MINE"),
        ("@functools.cache  # quick\n@staticmethod\ndef mine(x):\n    return x",) * 2,
    ],
)
def test_functions_with_their_decorators_and_imports_are_kept_of_a_test_cell(typed, kept):
    added = [item.source for item in rebuilt_after(typed_above_the_test(typed)).cells if item.master is None]
    assert added == [kept]


def test_another_weeks_answers_are_not_taken():
    def change(found):
        for cell in found:
            if "nbgrader" in cell["metadata"]:
                cell["metadata"]["nbgrader"]["grade_id"] += "_of_week_9"

    rebuilt = rebuilt_after(change)
    assert not rebuilt.answered
    assert kinds(rebuilt.repairs) == kinds(rebuilt.flags) == ["another_week"]


def test_an_archive_that_grows_is_not_unpacked(monkeypatch):
    monkeypatch.setattr(unpack, "MAX_UNPACKED", 1 << 20)
    bomb = b" " * (10 << 20) + WHOLE
    with pytest.raises(UnreadableFile, match="large_archive"):
        rebuild(MASTER, gzip.compress(bomb))
    for members in (["a.ipynb"], [f"{number}.ipynb" for number in range(4)]):
        with pytest.raises(UnreadableFile, match="large_archive"):
            rebuild(MASTER, zipped(dict.fromkeys(members, bomb[: len(bomb) // 3])))
    with pytest.raises(UnreadableFile, match="full_archive"):
        rebuild(MASTER, b"PK\x03\x04" + b"PK\x01\x02" * 6000)


def seconds(data):
    started = time.process_time()
    rebuild(MASTER, data)
    return time.process_time() - started


@pytest.mark.slow
def test_repair_is_quick():
    """CPU seconds: a clean notebook needs a few milliseconds, a monster a few seconds."""
    assert min(seconds(WHOLE) for _ in range(20)) < 0.005

    def change(found):
        for number in range(10_000):
            source = f"# try {number}\nx = double({number % 7})\nprint(x)\nplot(x, triple(x))"
            found.insert(3, code(f"n{number}", source))
        drop("setup", "double-values", "triple-values", "why")(found)
        without_metadata(found)

    assert seconds(handed_in(MASTER, change, ANSWERS)) < 5
    assert seconds(WHOLE + json.dumps({"outputs": ['\\"[{' * 5_000_000]})[:-30].encode()) < 5


def test_format_3_is_upgraded():
    old = nbformat.convert(nbformat.reads(TEXT, as_version=4), 3)
    rebuilt = rebuild(MASTER, json.dumps(old).encode())
    check_whole(rebuilt)
    assert "format_upgraded" in kinds(rebuilt.repairs)
    assert answer(rebuilt, "double").source == ANSWERS["double"]


class Dropped:
    """In a cycle: when the collector finds it, Python code runs, and another thread may go on."""

    def __init__(self):
        self.itself = self

    def __del__(self):
        sum(range(50))


@pytest.mark.parametrize("times", first(1, [10, 40]))
def test_threads_may_read_code_at_the_same_time(times):
    """Two trees at a time, made on two threads, end in a SystemError on Python 3.11."""

    def work(_):
        for _ in range(times):
            Dropped()
            assert parse(CODE) is not None

    before = sys.getswitchinterval(), gc.get_threshold()
    sys.setswitchinterval(1e-6)
    gc.set_threshold(10)
    try:
        with ThreadPoolExecutor(4) as pool:
            list(pool.map(work, range(4)))
    finally:
        sys.setswitchinterval(before[0])
        gc.set_threshold(*before[1])


CODE = "\n".join(f"def f{number}(x):\n    return [x + {number}, g(x, y={number})]" for number in range(200))


@pytest.mark.parametrize("more", [0, 1, 700])
def test_only_so_many_cells_of_the_student_s_own_are_kept(more):
    """The first ones are, wherever they stand."""
    assert 300 <= layout.MAX_ADDED <= 1000, "three hundred are still work, a thousand are not"
    total = layout.MAX_ADDED + more

    def add(found):
        own = [code(f"own{number}", f"own = {number}") for number in range(total)]
        for above, some in (("setup", own[:250]), ("double", own[250:290]), ("picture", own[290:])):
            inserted(above, *some)(found)

    rebuilt = rebuilt_after(add)
    own = [item.source for item in rebuilt.cells if item.master is None]
    assert own == [f"own = {number}" for number in range(layout.MAX_ADDED)]
    flags = [(flag.kind, flag.values["count"]) for flag in rebuilt.flags]
    assert flags == [("too_many_cells", total)] * bool(more)


def test_a_copy_of_a_cell_that_is_not_repeated_is_not_repeated_either():
    """Select all, copy, paste brings a training cell a second time: it would use up the time of its notebook."""
    training = code("training", "steps = train(double)", tags=["skip-grading"])
    master = master_of(*cells(), training)
    shown = {"output_type": "stream", "name": "stdout", "text": "loss 0.1\n"}
    more = [
        training | {"id": "a-copy", "outputs": [shown]},
        training | {"id": "an-edit", "source": "steps = train(double, 2)"},
    ]
    copy, edit = rebuild(master, handed_in(master, lambda found: found.extend(more), ANSWERS)).cells[-2:]
    assert (copy.master, copy.source, copy.run, copy.outputs) == (None, training["source"], False, [shown])
    assert edit.master is None and edit.run
