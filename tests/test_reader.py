"""The reader: what is costly or wrong in a hand-in is one student's result, and never the coordinator's work."""

import ast
import builtins
import gzip
import hashlib
import json
import os
import resource
import socket
import unicodedata
import warnings
import zipfile

import msgpack
import pytest
from drafts import handed_in, have_read, kinds
from quick import first
from small_course import RIGHT, ROOT, hand_in

from coursekit.course.config import open_course
from coursekit.engine.coordinator import reader_client
from coursekit.engine.coordinator.reader_client import ReaderFault, read
from coursekit.engine.coordinator.servers import Servers
from coursekit.engine.coordinator.submission import Submission
from coursekit.engine.reader import process
from coursekit.engine.reader.choose import Choice, choose
from coursekit.engine.reader.repair import Draft, code, rebuild
from coursekit.engine.shared import frames, reader_messages
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.limits import READER_SECONDS, SLOWEST
from coursekit.engine.shared.master import fill
from coursekit.grading.place import Here
from coursekit.grading.run import grade_class
from coursekit.intake import submissions
from coursekit.intake.submissions import read_submission

pytestmark = pytest.mark.usefixtures("warm")
MANY_ACCENTS = "x" + "\u0301\u0327" * 16_000


def notebook(master, change=lambda cells: None):
    return handed_in(master, change, RIGHT)


def added(source, kind="code"):
    return {"cell_type": kind, "metadata": {}, "source": source, "outputs": []}


def why(rebuilt):
    """The reason code of what could not be read."""
    return rebuilt.unreadable and rebuilt.unreadable.values["reason"]


def edited(cells):
    """Something of each kind that the reader reports: an added cell, an edit of a given one, a lost test, outputs."""
    cells[1]["source"] = "import math\nimport random"
    del cells[4]
    cells.insert(3, added("helper = 3"))
    cells.insert(3, added("Notes – ü.", "markdown"))


@pytest.mark.parametrize("change", [lambda cells: None, edited], ids=["as released", "edited"])
def test_the_reader_gives_what_rebuild_gives(master, servers, change):
    data = notebook(master, change)
    found, draft = have_read(master, servers, data), rebuild(master, data)
    assert found.unreadable is None
    assert [(a.kind, a.source, a.master, a.run, a.touched) for a in found.cells] == [
        (b.kind, b.source, b.master, b.run, b.touched) for b in draft.cells
    ]
    assert (list(found.repairs), list(found.flags)) == (draft.repairs, draft.flags)


@pytest.mark.slow
def test_every_week_of_the_course_reaches_the_reader():
    ours = open_course(ROOT)
    for week in ours.weeks:
        master = ours.master(week)
        theirs = reader_messages.unpack_master(reader_messages.pack_master(master))
        data = fill(master, {})
        assert [item.source for item in rebuild(theirs, data).cells if item.run] == [
            item.source for item in rebuild(master, data).cells if item.run
        ]


def test_the_reader_is_locked_in(master, servers, monkeypatch):
    """It is forked like a kernel: confined, with little memory and time."""
    asked = []
    fork = servers.fork
    monkeypatch.setattr(
        servers, "fork", lambda *call, **options: asked.append(call[:2]) or fork(*call, **options)
    )
    have_read(master, servers, notebook(master))
    ((server, request),) = asked
    assert server == "reader" and request["memory_mb"] <= 512 and request["cpu_seconds"] <= 10


def test_the_reader_knows_what_was_released_and_no_more(master):
    known = reader_messages.pack_master(master).decode("utf-8", "replace")
    assert "def double(x):" in known and "# Test: values" in known and "# Test: negative numbers" in known
    for secret in ("return x + x", "assert double(-3)", "The model answer"):
        assert secret not in known


# The coordinator parses nothing.


def forbid(monkeypatch):
    """Have every parser of this process raise when it meets what was handed in."""

    def refuse(name, real):
        def wrapped(*arguments, **options):
            for item in arguments[:2]:
                raw = item.encode("utf-8", "replace") if isinstance(item, str) else item
                assert not isinstance(raw, bytes) or b"HOSTILE" not in raw, f"{name} met what was handed in"
            return real(*arguments, **options)

        return wrapped

    for owner, name in (
        (json.JSONDecoder, "raw_decode"),
        (ast, "parse"),
        (builtins, "compile"),
        (zipfile, "ZipFile"),
        (unicodedata, "normalize"),
    ):
        monkeypatch.setattr(owner, name, refuse(name, getattr(owner, name)))


def test_the_coordinator_parses_nothing_that_was_handed_in(course, week, master, monkeypatch):
    answers = RIGHT | {"double": "# HOSTILE\n" + RIGHT["double"]}
    hand_in(course, "a", answers)
    hand_in(course, "b", b'{"cells": HOSTILE')
    hand_in(course, "c", {"why": "HOSTILE"}, "copy.ipynb")
    hand_in(course, "c", {})
    with monkeypatch.context() as patch:
        forbid(patch)
        with pytest.raises(AssertionError, match="met what was handed in"):
            rebuild(master, fill(master, answers))  # the trap works
        run = grade_class(course, week, place=Here(1))
        again = grade_class(course, week, place=Here(1))
    statuses = {name: item.status for name, item in run.results.items()}
    assert statuses == {"a": "graded", "b": "unreadable", "c": "repaired"}
    assert run.results["a"].score == 5 and again.fresh == set()


def test_an_unchanged_folder_is_not_read(course, week, monkeypatch):
    """All its files are hashed, and no reader is asked."""
    for number in range(5):
        hand_in(course, "a", b"PK\x03\x04" + bytes([number]), f"{number}.zip")
    assert grade_class(course, week).results["a"].status == "unreadable"
    with monkeypatch.context() as patch:
        patch.setattr("coursekit.engine.coordinator.grade.read", lambda *_: pytest.fail("read again"))
        assert grade_class(course, week).fresh == set()
    hand_in(course, "a", b"PK\x03\x04 other", "4.zip")
    assert grade_class(course, week).fresh == {"a"}


def test_the_hash_of_one_notebook_is_that_of_its_bytes(course, week):
    data = hand_in(course, "a").read_bytes()
    hand_in(course, "b", data, "other.ipynb")
    with read_submission(course, week, "a") as one, read_submission(course, week, "b") as other:
        assert one.digest == hashlib.sha256(data).hexdigest() != other.digest


# What costs too much, and what is no notebook.


def cells_of_nothing(count):
    return gzip.compress(b'{"cells": [' + b"{}," * (count - 1) + b"{}]}")


LISTS = gzip.compress(b'{"cells": [' + b"[]," * 30_000_000)


COSTLY = {"memory", "time", "too_many_cells", "too_much_code", "too_deep"}
DEEP_END = b"\n---\n\n```python\ndef f():\n    pass\n```\n"
ALIASES = b"".join(b"b%d: &b%d [%s]\n" % (n, n, b",".join([b"*b%d" % (n - 1)] * 9)) for n in range(1, 30))
UNFOLDING = b"---\nb0: &b0 [x]\njupyter: *b0\n" + ALIASES + DEEP_END
APP = b"import marimo\napp = marimo.App()\n"

# {what is costly about it: (its bytes, reasons of which it gets one)}
BOMBS = {
    "many cells": (lambda _: cells_of_nothing(30_000), {"too_many_cells"}),
    "much code": (lambda cells: cells.append(added("#" + "x" * 3_000_000)), {"too_much_code"}),
    "cells in a gzip": (lambda _: cells_of_nothing(6_000_000), {"memory", "too_many_cells"}),
    "cells of a damaged file": (
        lambda _: b'{"cells": [' + b'{"source": ""},' * 30_000,
        {"too_many_cells"},
    ),
    "lists in a gzip": (lambda _: LISTS, {"memory", "time"}),
    "cells of a script": (lambda _: b"# %%\nx = 1\n" * 2_000_000, COSTLY),
    "fences": (lambda _: b"```python\ndef f():\n    pass\n```\n" * 500_000, COSTLY),
    "a header of lists in lists": (lambda _: b"---\na: " + b"[" * 100_000 + DEEP_END, COSTLY),
    "cells of marimo's": (lambda _: APP + b"@app.cell\ndef _():\n    x = 1\n    return\n" * 500_000, COSTLY),
    "cells of a web page": (
        lambda _: b"<html>" + b'<p class="jp-CodeCell"><pre>x</pre></p>' * 1_000_000,
        COSTLY,
    ),
    "depth": (lambda _: b'{"cells": ' + b"[" * 5_000_000, {"cut_off", "too_deep"}),
}


@pytest.mark.parametrize("name", first(3, BOMBS))
def test_a_bomb_has_a_reason_and_costs_little(master, servers, name):
    make, reasons = BOMBS[name]
    data = notebook(master, make) if name == "much code" else make(None)
    used, here = servers.cpu_seconds, resource.getrusage(resource.RUSAGE_SELF)
    found = have_read(master, servers, data)
    after = resource.getrusage(resource.RUSAGE_SELF)
    assert found.cells == () and why(found) in reasons
    assert servers.cpu_seconds - used < READER_SECONDS * SLOWEST + 2
    assert after.ru_utime - here.ru_utime < 1


def test_a_header_that_would_unfold_does_not(master, servers):
    assert [item.source for item in have_read(master, servers, UNFOLDING).cells if item.master is None] == [
        "def f():\n    pass"
    ]


def test_a_bomb_is_one_students_result(course, week):
    for name in ("attention.ipynb", "b.ipynb"):
        hand_in(course, "bomb", cells_of_nothing(6_000_000), name)
    hand_in(course, "honest")
    run = grade_class(course, week, place=Here(3))
    assert run.failed == {} and run.results["bomb"].status == "unreadable"
    assert run.results["honest"].status == "graded" and run.results["honest"].score == 5


def test_without_a_sandbox_the_reader_is_bounded_all_the_same(master):
    with Servers(unsafe=True) as servers:
        assert why(have_read(master, servers, notebook(master))) is None
        assert why(have_read(master, servers, LISTS)) == "memory"


def test_long_names_are_not_composed(master, monkeypatch):
    """To compose 32,000 accents takes 2 s, and twice as many four times as long."""
    longest, compiled = [], []
    real = unicodedata.normalize
    monkeypatch.setattr(
        unicodedata, "normalize", lambda form, text: longest.append(len(text)) or real(form, text)
    )

    def spied_compile(source, *rest):
        compiled.append(MANY_ACCENTS in source)
        return compile(source, *rest)

    monkeypatch.setattr(code, "compile", spied_compile, raising=False)

    def change(cells):
        for cell in cells:
            cell["id"] = MANY_ACCENTS
        cells.append(added(f"{MANY_ACCENTS} = 1") | {"metadata": {"id": MANY_ACCENTS}})
        cells.append(added("def " + "ü" * 150 + "():\n    pass"))
        cells[3]["metadata"]["nbgrader"]["grade_id"] = MANY_ACCENTS

    rebuilt = rebuild(master, notebook(master, change))
    assert rebuilt.answered and longest and max(longest) <= code.MAX_NAME
    assert compiled and not any(compiled)
    # Nor will a kernel compose them: the accents are gone, and a note says so.
    assert not any(MANY_ACCENTS in cell.source for cell in rebuilt.cells)
    assert "accents_removed" in kinds(rebuilt.repairs)
    assert code.parse("# " + "\u4e2d\u6587\u00fc" * 5000) is not None, "a long text in other letters"


def test_much_text_is_cut(master, servers):
    text = added("word " * 600_000, "markdown")
    found = have_read(master, servers, notebook(master, lambda cells: cells.append(text)))
    assert any(cell.touched for cell in found.cells) and kinds(found.flags) == ["text_cut"]
    assert found.cells[-1].source.endswith("too long to be kept.]")


def test_warnings_about_a_students_code_are_not_shown(master, servers, capfd):
    many = notebook(master, lambda cells: cells[3].update(source=RIGHT["double"] + "\n" + "1 is 1\n" * 1000))
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert why(have_read(master, servers, many)) is None
    assert caught == [] and capfd.readouterr().err == ""


# Files that are none, change, or are very many.


def test_only_regular_files_are_opened(course, week):
    hand_in(course, "a", name="b.ipynb")
    folder = course.submitted("a", week)
    for name in ("attention.ipynb", "x.gz"):
        os.mkfifo(folder / name)
    for name, target in (("zero", "/dev/zero"), ("secret", course.source(week))):
        (folder / f"{name}.ipynb").symlink_to(target)
    with read_submission(course, week, "a") as submission:
        assert [file.name for file in submission.files] == ["b.ipynb"]


def test_a_file_that_grows_is_read_as_far_as_it_went(course, week):
    path = hand_in(course, "a")
    with read_submission(course, week, "a") as submission:
        with open(path, "ab") as file:
            file.write(b"x" * 1000)
        assert len(submission.as_bytes()["attention.ipynb"]) == submission.files[0].size
        with pytest.raises(CourseError, match="changed"):
            submission.check_unchanged()


def test_a_folder_of_very_many_files_is_not_walked_to_its_end(course, week, monkeypatch):
    monkeypatch.setattr(submissions, "MAX_ENTRIES", 20)
    hand_in(course, "a")
    for number in range(50):
        hand_in(course, "a", b"", f"d{number}/{number}.txt")
    with read_submission(course, week, "a") as submission:
        assert submission.files[0].name == "attention.ipynb"
        assert kinds(submission.flags) == ["too_many_files"]


def test_the_choice_of_a_file_survives_a_bomb_beside_it():
    def rebuild_or_fail(data):
        if data == b"bomb":
            raise MemoryError
        return Draft([])

    files = {"attention.ipynb": lambda: b"fine", "b.ipynb": lambda: b"bomb"}
    outcome, _, flags, _ = choose(files, "attention.ipynb", rebuild_or_fail)
    assert isinstance(outcome, Draft) and kinds(flags) == ["several_notebooks"]


# What comes back is checked.


def answer(master):
    """What an honest reader sends: why there are no cells, repairs, flags, cells, which file, what else is in it."""
    rebuilt = process.rebuilt_of(
        master,
        Choice(rebuild(master, fill(master, RIGHT)), [], [], "attention.ipynb"),
        {"attention.ipynb": bytes},
    )
    return msgpack.unpackb(reader_messages.pack_answer(rebuilt, 100))


UNREADABLE = ["unreadable", "", {"reason": "cut_off"}]
# {name: how the answer is changed}: a list is put in its place by its number, (cell, field): value into a cell.
LIES = {
    "no cells and no reason": {3: []},
    "cells and a reason": {0: UNREADABLE},
    "a reason that is none": {0: [1], 3: []},
    "a reason that is unknown": {0: ["unreadable", "", {"reason": "odd"}], 3: []},
    "a reason without its values": {0: ["unreadable", "", {"reason": "other_format"}], 3: []},
    "a reason that is a flag": {0: ["merge_conflict", "", {}], 3: []},
    "a flag that is a reason": {2: [UNREADABLE]},
    "a flag of the coordinator's": {2: [["engine_fault", "", {"error": "made up"}]]},
    "notes of another form": {1: [["reordered", "cell"]]},
    "a note of an unknown kind": {1: [["odd", "", {}]]},
    "a note with a flag's kind": {1: [["merge_conflict", "", {}]]},
    "a note with a number for a cell": {1: [["reordered", 3, {}]]},
    "a note without its values": {1: [["renamed_file", "", {}]]},
    "a note with other values": {1: [["reordered", "", {"more": 1}]]},
    "a note with a number for a name": {1: [["renamed_file", "", {"name": 3}]]},
    "a note with a long value": {1: [["renamed_file", "", {"name": "x" * 5000}]]},
    "a note with a truth for a count": {1: [["salvaged", "", {"count": True}]]},
    "a note with endless points": {1: [["points_restored", "", {"claimed": "9", "points": float("inf")}]]},
    "many notes": {2: [["merge_conflict", "", {}]] * 100_000},
    "a cell that is none": {(0, 2): 1000},
    "a number for a source": {(3, 1): 7},
    "another kind": {(3, 0): "html"},
    "a test that runs": {(4, 3): True},
    "a place that is true": {(1, 2): True},
    "a file that cannot be the notebook": {4: 5},
    "a file before the first": {4: -1},
    "a file that is none": {4: "attention.ipynb"},
    "a name that leads out": {5: [["../utils.py", b""]]},
    "a name that leads out below": {5: [["data/../../utils.py", b""]]},
    "a name from the root": {5: [["/etc/passwd", b""]]},
    "a name that is too long": {5: [["x" * 300, b""]]},
    "a name of many folders": {5: [["x/" * 50 + "x", b""]]},
    "a name with a line's end": {5: [["utils\n.py", b""]]},
    "an empty name": {5: [["", b""]]},
    "text in place of bytes": {5: [["utils.py", "x = 1"]]},
    "very many files": {5: [["utils.py", b""]] * 1000},
}


@pytest.mark.parametrize("name", LIES)
def test_an_answer_that_is_none_is_refused(master, name):
    data = answer(master)
    for place, value in LIES[name].items():
        if isinstance(place, tuple):
            data[3][place[0]][place[1]] = value
        else:
            data[place] = value
    with pytest.raises(frames.WireError):
        reader_messages.unpack_answer(msgpack.packb(data), master)


def test_bytes_and_cells_that_are_no_answer_are_refused(master):
    data = answer(master)
    cells = data[3]
    wrong = [
        *([*data[:3], some, *data[4:]] for some in (cells[1:], [*cells, cells[0]], cells[::-1])),
        [*data[:3], [*cells, *[["code", "", -1, True, False, []]] * 5000], *data[4:]],
        *(None, 3),
    ]
    whole = msgpack.packb(data)
    for packed in (
        *map(msgpack.packb, wrong),
        *(b"", b"\xc1", b"\xdd\xff\xff\xff\xff", b"\x91" * 100_000, whole[:-3]),
    ):
        with pytest.raises(frames.WireError):
            reader_messages.unpack_answer(packed, master)


def test_the_reason_for_no_cells_comes_back(master):
    found = reader_messages.unpack_answer(msgpack.packb([UNREADABLE, [], [], [], 0, []]), master)
    assert why(found) == "cut_off" and found.cells == ()


def test_a_given_cell_is_the_masters_whatever_the_reader_sends(master):
    data = answer(master)
    data[3][1][1] = "import os; os.system('true')"
    found = reader_messages.unpack_answer(msgpack.packb(data), master)
    assert found.cells[1].source == master.cells[1].source


def test_a_submission_whose_reader_was_killed_is_graded_again(course, week, monkeypatch):
    """A reader that is killed from outside says nothing about the submission."""
    hand_in(course, "a")
    real, killed = reader_client.frames.receive, []

    def kill_first(connection, *most):
        if most and not killed:
            killed.append(True)
            raise EOFError("as if it were killed")
        return real(connection, *most)

    monkeypatch.setattr(reader_client.frames, "receive", kill_first)
    assert grade_class(course, week).results["a"].status == "graded" and killed


def test_a_fault_of_the_reader_is_the_engines(course, week, monkeypatch):
    hand_in(course, "a")

    def fail(master, submission, *rest):
        if submission.student == "a":
            raise ReaderFault("of the reader")
        return read(master, submission, *rest)

    monkeypatch.setattr("coursekit.engine.coordinator.grade.read", fail)
    (flag,) = grade_class(course, week).results["a"].flags
    assert flag.kind == "engine_fault" and "of the reader" in flag.values["error"]


def test_the_server_outlives_clients_that_ask_for_nothing(servers, master):
    for data in (b"", b"\x00\x00", b"\xff\xff\xff\xff"):
        with socket.socket(socket.AF_UNIX) as other:
            other.connect(str(servers.folder / "reader.sock"))
            other.sendall(data)
    assert why(have_read(master, servers, notebook(master))) is None


# What repair changed.


def differences(master, servers, data):
    with Submission.of_bytes({"attention.ipynb": data}) as submission:
        return reader_client.read_differences(master, submission, servers)


def test_what_repair_changed_comes_from_the_reader(master, servers):
    assert differences(master, servers, notebook(master)) == []
    found = differences(master, servers, notebook(master, edited))
    assert {sign for sign, _ in found} == set("@ +"), "what was lost is put back, what is the student's stays"
    swap = differences(master, servers, notebook(master, lambda cells: cells.insert(3, cells.pop(5))))
    assert ("-", "# Test: negative numbers") in swap and ("+", "# Test: negative numbers") in swap


def test_a_reader_without_memory_answers_what_it_was_asked(master, monkeypatch):
    def out_of_memory(*_):
        raise MemoryError

    monkeypatch.setattr(process, "choose", out_of_memory)
    monkeypatch.setattr(process.gc, "disable", lambda: None)  # this process goes on
    answers = []
    for wanted in ("differences", "notebook"):
        ours, theirs = socket.socketpair()
        with ours, theirs, warnings.catch_warnings():
            process.main(theirs, {"files": [], "wants": wanted, "output_kb": 0}, [], master)
            answers.append(msgpack.unpackb(frames.receive(ours))[1])
    assert reader_messages.unpack_differences(answers[0]) == []
    assert why(reader_messages.unpack_answer(answers[1], master)) == "memory"


@pytest.mark.parametrize(
    "source",
    ["x = 1\n" * 10_000, "\n".join(f"x{n % 150} = 1" for n in range(5_000)), "x" * 1_000_000, "\ud800\n"],
    ids=["many lines", "many different lines", "one line", "half a pair"],
)
def test_no_notebook_makes_a_long_difference(master, servers, source):
    def change(cells):
        cells.insert(2, added(source))
        cells.append(cells.pop(4))

    found = differences(master, servers, notebook(master, change))
    assert len(found) <= 401 and all(len(line) <= 300 for _, line in found)


@pytest.mark.parametrize(
    "lines",
    [[["-"]], [["!", "x"]], [["-", "x" * 301]], [["-", "x"]] * 402, {"-": "x"}, [["-", 1]]],
)
def test_differences_outside_the_protocol_are_refused(lines):
    for data in (b"", b"\xff", msgpack.packb(lines)):
        with pytest.raises(frames.WireError):
            reader_messages.unpack_differences(data)
