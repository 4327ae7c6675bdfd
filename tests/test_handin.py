"""Which file of a student's folder is graded, and what happens when it cannot be read."""

import contextlib
import ctypes
import os

import pytest
import small_course
from drafts import answer, kinds
from small_course import RIGHT

from coursekit.engine.coordinator.submission import Submission
from coursekit.engine.reader.choose import choose
from coursekit.engine.reader.repair import rebuild
from coursekit.engine.shared.file_names import MAX_FILES, paths_beside
from coursekit.engine.shared.master import fill
from coursekit.grading.run import grade_class
from coursekit.intake import submissions
from coursekit.intake.submissions import read_submission

pytestmark = pytest.mark.usefixtures("warm")


def hand_in(course, files):
    for name, data in files.items():
        small_course.hand_in(course, "a", data, name)


def chosen(course, week):
    """Return what the reader makes of the folder: the source of the answer; repairs; flags."""
    master = course.master(week)
    with read_submission(course, week, "a") as submission:
        data = submission.as_bytes()
    files = {name: lambda name=name: data[name] for name in data}
    rebuilt, repairs, flags, _ = choose(files, "attention.ipynb", lambda data: rebuild(master, data))
    return answer(rebuilt, "double").source, kinds(repairs), flags


@pytest.mark.parametrize(
    ("right", "beside", "repairs", "flags"),
    [
        ("attention.ipynb", ["attention.py", "notes.txt", "x.zip", "torch/__init__.py"], [], []),
        ("attention (1).ipynb", ["notes.txt", "attention.pdf"], ["renamed_file"], []),
        ("notes/attention.ipynb", ["a.txt", "z.json"], ["renamed_file"], []),
        ("hw.txt", ["a.json", "b.md"], ["renamed_file"], []),
    ],
)
def test_files_that_are_no_notebook_do_not_matter(course, week, right, beside, repairs, flags):
    answered = fill(course.master(week), RIGHT)
    hand_in(course, dict.fromkeys(beside, b"some words") | {right: answered})
    source, repaired, flagged = chosen(course, week)
    assert (source, repaired, kinds(flagged)) == (RIGHT["double"], repairs, flags)


def test_of_several_notebooks_the_right_name_counts_unless_it_is_unanswered(course, week):
    answered, empty = fill(course.master(week), RIGHT), fill(course.master(week), {})
    other = fill(course.master(week), {"double": "def double(x):\n    return 0"})
    hand_in(course, {"attention.ipynb": answered, "attention (1).ipynb": other, "copy.ipynb": answered})
    source, _, flags = chosen(course, week)
    assert source == RIGHT["double"] and kinds(flags) == ["several_notebooks"]
    assert flags[0].values["others"] == "attention (1).ipynb"
    hand_in(course, {"attention.ipynb": empty})
    source, repairs, _ = chosen(course, week)
    assert "return 0" in source and repairs == ["renamed_file"]


def test_paths_beside_the_notebook_are_part_of_the_submission(course, week):
    hand_in(course, {"attention.ipynb": fill(course.master(week), RIGHT)})
    with read_submission(course, week, "a") as alone:
        pass
    hand_in(course, {"utils.py": b"x = 1", "data/scale.txt": b"2", "photo.png": b"\x89PNG"})
    with read_submission(course, week, "a") as submission:
        names = {file.name for file in submission.files}
        assert names == {"attention.ipynb", "utils.py", "data/scale.txt", "photo.png"}
        assert submission.files[0].name == "attention.ipynb" and submission.receipts.keys() == names
        with Submission.of_bytes(submission.as_bytes()) as elsewhere:
            assert elsewhere.digest == submission.digest != alone.digest


@pytest.mark.parametrize(
    "name",
    [
        "__pycache__/utils.cpython-311.pyc",
        ".DS_Store",
        ".git/config",
        ".vscode/settings.json",
        "__MACOSX/._a.csv",
        "Thumbs.db",
    ],
)
def test_what_a_program_has_left_is_not_part_of_the_submission(course, week, name):
    hand_in(course, {"attention.ipynb": fill(course.master(week), RIGHT), name: b"left"})
    with read_submission(course, week, "a") as submission:
        assert [file.name for file in submission.files] == ["attention.ipynb"]


def test_of_very_many_files_the_likeliest_are_kept_and_a_flag_says_so(course, week):
    hand_in(course, {f"{number}.txt": b"1" for number in range(MAX_FILES + 5)})
    hand_in(course, {"attention.ipynb": fill(course.master(week), RIGHT), "utils.py": b""})
    with read_submission(course, week, "a") as submission:
        names = [file.name for file in submission.files]
        assert len(names) == MAX_FILES and names[0] == "attention.ipynb" and "utils.py" in names
        assert kinds(submission.flags) == ["too_many_files"]


@pytest.mark.parametrize(
    ("names", "notebook", "found"),
    [
        (["a.ipynb", "u.py", "data/x.csv"], "a.ipynb", {"u.py": "u.py", "data/x.csv": "data/x.csv"}),
        (["w/a.ipynb", "w/u.py", "w/d/x.csv"], "w/a.ipynb", {"u.py": "w/u.py", "d/x.csv": "w/d/x.csv"}),
        (["w/a.ipynb", "u.py", "w/u.py"], "w/a.ipynb", {"u.py": "w/u.py"}),
        (["a.ipynb", "u-1.py", "x (2).csv"], "a.ipynb", {"u.py": "u-1.py", "x.csv": "x (2).csv"}),
        (["a.ipynb", "u.py", "u-1.py"], "a.ipynb", {"u.py": "u.py", "u-1.py": "u-1.py"}),
        (["a.ipynb", "gro\u0308\u00dfe.csv"], "a.ipynb", {"gr\u00f6\u00dfe.csv": "gro\u0308\u00dfe.csv"}),
        (["a.ipynb", ".ipynb_checkpoints/a.ipynb", "fast.so", "u.PYC", ".x/u.py"], "a.ipynb", {}),
        (["a.ipynb", "b.ipynb"], "a.ipynb", {"b.ipynb": "b.ipynb"}),
    ],
)
def test_the_names_of_paths_beside_the_notebook(names, notebook, found):
    assert paths_beside(names, notebook).items() >= found.items()
    assert set(paths_beside(names, notebook).values()) == set(found.values())


def test_a_file_that_is_too_large_is_not_read(course, week, monkeypatch):
    monkeypatch.setattr(submissions, "MAX_BYTES", 1 << 20)
    hand_in(course, {"attention.ipynb": b" " * (2 << 20)})
    with read_submission(course, week, "a") as submission:
        assert submission.files == () and kinds(submission.flags) == ["too_large"]


@contextlib.contextmanager
def bound_by_permissions():
    """This thread without root's right to read everything (capabilities 1 and 2)."""
    libc = ctypes.CDLL(None, use_errno=True)
    header = (ctypes.c_uint32 * 2)(0x20080522, 0)  # version, thread
    data = (ctypes.c_uint32 * 6)()  # effective, permitted, inheritable; twice
    assert libc.capget(header, data) == 0
    before = data[0]
    data[0] = before & ~0b110
    assert libc.capset(header, data) == 0
    try:
        yield
    finally:
        data[0] = before
        assert libc.capset(header, data) == 0


@pytest.mark.parametrize("locked", ["attention.ipynb", "."])
def test_what_may_not_be_read_is_no_empty_submission(course, week, locked):
    """The grader is at fault there, not the student: no zero, a sentence, and the next run tries again."""
    hand_in(course, {"attention.ipynb": fill(course.master(week), RIGHT)})
    path = course.submitted("a", week) / locked
    before = path.stat().st_mode
    os.chmod(path, 0)
    try:
        with bound_by_permissions():
            run = grade_class(course, week)
    finally:
        os.chmod(path, before)
    assert run.results == {} and "Permission denied" in run.failed["a"]
    assert grade_class(course, week).results["a"].score == 5
