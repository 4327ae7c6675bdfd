"""The reader: what is costly or wrong in a hand-in is one student's result, and never the coordinator's work."""

import ast
import builtins
import gzip
import io
import json
import os
import re
import resource
import unicodedata
import warnings
import zipfile
from pathlib import Path

import msgpack
import pytest
from quick import first
from small_course import make_course

from coursekit.course.config import open_course
from coursekit.engine.coordinator import reader_client
from coursekit.engine.coordinator.reader_client import ReaderFault, read
from coursekit.engine.coordinator.submission import Submission
from coursekit.engine.reader import process
from coursekit.engine.reader.repair import Unreadable, code, rebuild, unpack
from coursekit.engine.shared import frames, reader_messages
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.limits import READER_SECONDS, SLOWEST, Limits
from coursekit.engine.shared.master import fill
from coursekit.engine.shared.result import Note
from coursekit.grading.place import Here
from coursekit.grading.run import grade_class
from coursekit.intake import student_folder
from coursekit.intake.student_folder import read_submission

pytestmark = pytest.mark.usefixtures("warm")
RIGHT = {"double": "def double(x):\n    return x + x", "why": "A sum."}
MANY_MARKS = "x" + "\u0301\u0327" * 16_000


@pytest.fixture
def course(tmp_path):
    return make_course(tmp_path)[0]


@pytest.fixture
def week(course):
    return course.weeks[0]


@pytest.fixture
def master(course, week):
    return course.master(week)


def notebook(master, change=lambda cells: None, answers=RIGHT):
    made = json.loads(fill(master, answers))
    change(made["cells"])
    return json.dumps(made).encode()


def have_read(master, servers, data, limits=None):
    with Submission.of_bytes({"attention.ipynb": data}) as submission:
        return read(master, submission, limits or Limits(), servers)


def hand_in(course, student, files):
    for name, data in files.items():
        path = course.submitted(student, course.weeks[0]) / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def same(one, other):
    assert [(a.kind, a.source, a.master, a.run, a.touched) for a in one.cells] == [
        (b.kind, b.source, b.master, b.run, b.touched) for b in other.cells
    ]
    assert (list(one.repairs), list(one.flags)) == (list(other.repairs), list(other.flags))


def edited(cells):
    """Something of each kind that the reader tells: an added cell, an edit of a given one, a lost test, outputs."""
    cells[1]["source"] = "import math\nimport random"
    del cells[4]
    cells.insert(3, {"cell_type": "code", "metadata": {}, "source": "helper = 3", "outputs": []})
    cells.insert(3, {"cell_type": "markdown", "metadata": {}, "source": "Notes – ü."})


@pytest.mark.parametrize("change", [lambda cells: None, edited], ids=["as released", "edited"])
def test_the_reader_gives_what_rebuild_gives(master, servers, change):
    data = notebook(master, change)
    found, reason, _ = have_read(master, servers, data)
    assert reason == ""
    same(found, rebuild(master, data))


def test_every_week_of_the_course_reaches_the_reader():
    ours = open_course(Path(__file__).parent.parent)
    for week in ours.weeks:
        master = ours.master(week)
        theirs = reader_messages.unpack_master(reader_messages.pack_master(master))
        data = fill(master, {})
        assert [item.source for item in rebuild(theirs, data).cells if item.run] == [
            item.source for item in rebuild(master, data).cells if item.run
        ]


def test_what_is_no_notebook_has_a_reason(master, servers):
    found, reason, _ = have_read(master, servers, b"%PDF-1.4")
    assert found.cells == () and "a PDF" in reason


def test_the_reader_is_locked_in(master, servers, tmp_path, monkeypatch):
    """It is forked like a kernel; what it is asked for tells: confined, with little memory and time."""
    asked = []
    lease = servers.lease

    def spy(server, request, *rest):
        asked.append((server, request))
        return lease(server, request, *rest)

    monkeypatch.setattr(servers, "lease", spy)
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
    """Whatever would parse what was handed in raises, in this process."""
    hostile = b"HOSTILE"

    def refuse(name, real):
        def wrapped(*arguments, **options):
            for item in arguments[:2]:
                text = item if isinstance(item, str | bytes) else b""
                raw = text.encode("utf-8", "replace") if isinstance(text, str) else text
                assert hostile not in raw, f"{name} met what was handed in"
            return real(*arguments, **options)

        return wrapped

    monkeypatch.setattr(json.JSONDecoder, "raw_decode", refuse("raw_decode", json.JSONDecoder.raw_decode))
    monkeypatch.setattr(ast, "parse", refuse("ast.parse", ast.parse))
    monkeypatch.setattr(builtins, "compile", refuse("compile", builtins.compile))
    monkeypatch.setattr(zipfile, "ZipFile", refuse("ZipFile", zipfile.ZipFile))
    monkeypatch.setattr(unicodedata, "normalize", refuse("normalize", unicodedata.normalize))


def test_the_coordinator_parses_nothing_that_was_handed_in(course, week, master, monkeypatch):
    answers = RIGHT | {"double": "# HOSTILE\n" + RIGHT["double"]}
    hand_in(course, "a", {"attention.ipynb": fill(master, answers)})
    hand_in(course, "b", {"attention.ipynb": b'{"cells": HOSTILE'})
    hand_in(
        course, "c", {"copy.ipynb": fill(master, {"why": "HOSTILE"}), "attention.ipynb": fill(master, {})}
    )
    with monkeypatch.context() as patch:
        forbid(patch)
        with pytest.raises(AssertionError, match="met what was handed in"):
            rebuild(master, fill(master, answers))  # the trap works
        run = grade_class(course, week, place=Here(1))
        again = grade_class(course, week, place=Here(1))
    assert {name: item.status for name, item in run.results.items()} == {
        "a": "graded",
        "b": "unreadable",
        "c": "repaired",
    }
    assert run.results["a"].score == 5 and again.fresh == set()


def test_an_unchanged_folder_is_not_read(course, week, master, monkeypatch):
    """Its files are hashed, all of them, and no reader is asked."""
    hand_in(
        course,
        "a",
        {f"{n}.zip": b"PK\x03\x04" + bytes([n]) for n in range(5)} | {"x.gz": gzip.compress(b"x")},
    )
    assert grade_class(course, week).results["a"].status == "unreadable"

    def refuse(*_):
        raise AssertionError("read again")

    monkeypatch.setattr("coursekit.engine.coordinator.grade.read", refuse)
    assert grade_class(course, week).fresh == set()
    hand_in(course, "a", {"4.zip": b"PK\x03\x04 other"})
    monkeypatch.undo()
    assert grade_class(course, week).fresh == {"a"}


def test_the_hash_of_one_notebook_is_that_of_its_bytes(course, week, master):
    import hashlib

    data = fill(master, RIGHT)
    hand_in(course, "a", {"attention.ipynb": data})
    hand_in(course, "b", {"other.ipynb": data})
    digests = {}
    for student in "ab":
        with read_submission(course, week, student) as submission:
            digests[student] = submission.digest
    assert digests["a"] == hashlib.sha256(data).hexdigest() != digests["b"]


# What costs too much.


def cells_of_nothing(count):
    return gzip.compress(b'{"cells": [' + b"{}," * (count - 1) + b"{}]}")


def bombs(master):
    yield "cells in a gzip", cells_of_nothing(6_000_000), "more memory|6,000,000 cells"
    yield "too many cells", cells_of_nothing(30_000), "30,000 cells"
    broken = b'{"cells": [' + b'{"source": ""},' * 30_000
    yield "cells of a damaged file", broken, "cells; at most 20,000"
    yield "lists in a gzip", gzip.compress(b'{"cells": [' + b"[]," * 30_000_000), "more (memory|time)"
    yield "depth", b'{"cells": ' + b"[" * 5_000_000, "."


@pytest.mark.parametrize("which", first(2, range(5)))
def test_a_bomb_has_a_reason_and_costs_little(master, servers, which):
    _, data, reason = list(bombs(master))[which]
    used, here = servers.cpu_seconds, resource.getrusage(resource.RUSAGE_SELF)
    found, why, _ = have_read(master, servers, data)
    assert found.cells == () and re.search(reason, why), why
    after = resource.getrusage(resource.RUSAGE_SELF)
    assert servers.cpu_seconds - used < READER_SECONDS * SLOWEST + 2
    assert after.ru_utime - here.ru_utime < 1


def test_a_bomb_is_one_students_result(course, week, master):
    hand_in(course, "bomb", {"attention.ipynb": cells_of_nothing(6_000_000)})
    hand_in(
        course,
        "bomb2",
        {"attention.ipynb": cells_of_nothing(6_000_000), "b.ipynb": cells_of_nothing(6_000_000)},
    )
    hand_in(course, "honest", {"attention.ipynb": fill(master, RIGHT)})
    run = grade_class(course, week, place=Here(3))
    assert {name: item.status for name, item in run.results.items()} == {
        "bomb": "unreadable",
        "bomb2": "unreadable",
        "honest": "graded",
    }
    assert run.failed == {} and run.results["honest"].score == 5


def test_long_names_are_not_composed(master, monkeypatch):
    """To compose 32,000 accents takes 2 s, and twice as many four times as long."""
    real, longest = unicodedata.normalize, []

    def spy(form, text):
        longest.append(len(text))
        return real(form, text)

    compiled = []

    def no_compile(source, *rest):
        compiled.append(MANY_MARKS in source)
        return compile(source, *rest)

    monkeypatch.setattr(unicodedata, "normalize", spy)
    monkeypatch.setattr(code, "compile", no_compile, raising=False)

    def change(cells):
        for cell in cells:
            cell["id"] = MANY_MARKS
        cells.append({"cell_type": "code", "metadata": {"id": MANY_MARKS}, "source": f"{MANY_MARKS} = 1"})
        cells.append({"cell_type": "code", "metadata": {}, "source": "def " + "ü" * 150 + "():\n    pass"})
        cells[3]["metadata"]["nbgrader"]["grade_id"] = MANY_MARKS

    rebuilt = rebuild(master, notebook(master, change))
    assert rebuilt.answered and longest and max(longest) <= code.MAX_NAME
    assert compiled and not any(compiled)
    # Nor will a kernel: the accents are gone, and the student is told so.
    assert not any(MANY_MARKS in cell.source for cell in rebuilt.cells)
    assert "characters_restored" in {note.kind for note in rebuilt.repairs}
    assert (
        code.parse("# " + "\u4e2d\u6587\u00fc" * 5000) is not None
    )  # a long text in other letters is none of it


def test_much_text_is_cut_and_much_code_refused(master, servers):
    picture = "![](data:image/png;base64," + "A" * 3_000_000 + ")"

    def paste(cells):
        cells.append({"cell_type": "markdown", "metadata": {}, "source": picture})

    found, reason, _ = have_read(master, servers, notebook(master, paste))
    assert (
        reason == ""
        and any(cell.touched for cell in found.cells)
        and [flag.kind for flag in found.flags] == ["too_large"]
    )
    assert found.cells[-1].source.endswith("too long to be kept.]")

    def weigh(cells):
        cells.append({"cell_type": "code", "metadata": {}, "source": "#" + "x" * 3_000_000})

    assert "more than 2 MiB" in have_read(master, servers, notebook(master, weigh))[1]


def test_warnings_about_a_students_code_are_nobodys(master, servers, capfd):
    def change(cells):
        cells[3]["source"] = RIGHT["double"] + "\n" + "1 is 1\n" * 1000

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        assert have_read(master, servers, notebook(master, change))[1] == ""
    assert caught == [] and capfd.readouterr().err == ""


# What is no regular file.


def test_what_is_no_file_is_not_opened(course, week, master):
    folder = course.submitted("a", week)
    folder.mkdir(parents=True)
    os.mkfifo(folder / "attention.ipynb")
    (folder / "zero.ipynb").symlink_to("/dev/zero")
    (folder / "secret.ipynb").symlink_to(course.source(week))
    os.mkfifo(folder / "x.gz")
    with read_submission(course, week, "a") as submission:
        assert submission.files == ()
    hand_in(course, "a", {"b.ipynb": fill(master, RIGHT)})
    with read_submission(course, week, "a") as submission:
        assert [file.name for file in submission.files] == ["b.ipynb"]


def test_a_file_that_grows_is_read_as_far_as_it_went(course, week, master, monkeypatch):
    hand_in(course, "a", {"attention.ipynb": fill(master, RIGHT)})
    with read_submission(course, week, "a") as submission:
        before = submission.digest
        with open(course.submitted("a", week) / "attention.ipynb", "ab") as file:
            file.write(b"x" * 1000)
        assert len(submission.as_bytes()["attention.ipynb"]) == submission.files[0].size
        assert submission.digest == before
        with pytest.raises(CourseError, match="changed"):
            submission.check_unchanged()


def test_a_folder_of_very_many_files_is_not_walked_to_its_end(course, week, master, monkeypatch):
    monkeypatch.setattr(student_folder, "MAX_ENTRIES", 20)
    hand_in(course, "a", {f"d{n}/{n}.txt": b"" for n in range(50)} | {"attention.ipynb": fill(master, RIGHT)})
    with read_submission(course, week, "a") as submission:
        assert submission.files[0].name == "attention.ipynb"
        assert [flag.kind for flag in submission.flags] == ["too_large"]


# What comes back is checked.


def answer(master, **changes):
    rebuilt, _ = process.finish(master, rebuild(master, fill(master, RIGHT)), [], [])
    data = msgpack.unpackb(reader_messages.pack_answer(rebuilt, "", 100))
    for key, value in changes.items():
        data[int(key[1:])] = value
    return data


def change_cell(data, place, field, value):
    data[3][place][field] = value
    return data


def lies(master):
    whole = answer(master)
    yield "nothing", None
    yield "a number", 3
    yield "no cells and no reason", answer(master, _3=[])
    yield "cells and a reason", answer(master, _0="why")
    yield "a reason that is none", answer(master, _0=[1], _3=[])
    yield "notes of another form", answer(master, _1=[["kind", "cell"]])
    yield "a note of a number", answer(master, _2=[["kind", "cell", 3]])
    yield "many notes", answer(master, _2=[["a", "b", "c"]] * 100_000)
    yield "one cell less", whole[:3] + [whole[3][1:]]
    yield "one cell twice", whole[:3] + [[*whole[3], whole[3][0]]]
    yield "another order", whole[:3] + [whole[3][::-1]]
    yield "very many cells", whole[:3] + [[*whole[3], *[["code", "", -1, True, False, []]] * 5000]]
    yield "a cell that is none", change_cell(answer(master), 0, 2, 1000)
    yield "a number for a source", change_cell(answer(master), 3, 1, 7)
    yield "another kind", change_cell(answer(master), 3, 0, "html")
    yield "a test that runs", change_cell(answer(master), 4, 3, True)
    yield "a place that is true", change_cell(answer(master), 1, 2, True)


def test_an_answer_that_is_none_is_refused(master):
    reader_messages.unpack_answer(msgpack.packb(answer(master)), master)
    for name, lie in lies(master):
        with pytest.raises(frames.WireError):
            reader_messages.unpack_answer(msgpack.packb(lie), master)
            pytest.fail(name)
    for data in (
        b"",
        b"\xc1",
        b"\xdd\xff\xff\xff\xff",
        b"\x91" * 100_000,
        msgpack.packb(answer(master))[:-3],
    ):
        with pytest.raises(frames.WireError):
            reader_messages.unpack_answer(data, master)


def test_a_given_cell_is_the_masters_whatever_the_reader_says(master):
    data = change_cell(answer(master), 1, 1, "import os; os.system('true')")
    found, _ = reader_messages.unpack_answer(msgpack.packb(data), master)
    assert found.cells[1].source == master.cells[1].source


def test_what_a_lost_reader_had_in_hand_is_graded_again(course, week, master, monkeypatch):
    """One that is killed from outside says nothing about the submission."""
    hand_in(course, "a", {"attention.ipynb": fill(master, RIGHT)})
    real, killed = reader_client.frames.receive, []

    def kill_first(connection, *most):
        if most and not killed:
            killed.append(True)
            raise EOFError("as if it were killed")
        return real(connection, *most)

    monkeypatch.setattr(reader_client.frames, "receive", kill_first)
    assert grade_class(course, week).results["a"].status == "graded" and killed


def test_a_fault_of_the_reader_is_the_engines(course, week, master, monkeypatch):
    hand_in(course, "a", {"attention.ipynb": fill(master, RIGHT)})

    def fail(master, submission, *rest):
        if submission.student == "a":
            raise ReaderFault("of the reader")
        return read(master, submission, *rest)

    monkeypatch.setattr("coursekit.engine.coordinator.grade.read", fail)
    result = grade_class(course, week).results["a"]
    assert [flag.kind for flag in result.flags] == ["engine_fault"] and "of the reader" in result.flags[
        0
    ].detail


def test_without_a_sandbox_the_reader_is_bounded_all_the_same(master):
    from coursekit.engine.coordinator.servers import Servers

    with Servers(unsafe=True) as servers:
        assert have_read(master, servers, notebook(master))[1] == ""
        assert (
            "more memory than"
            in have_read(master, servers, gzip.compress(b'{"cells": [' + b"[]," * 30_000_000))[1]
        )


def test_archives_are_bounded_in_sum():
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for number in range(5):
            archive.writestr(f"{number}.ipynb", b" " * (30 << 20))
    with pytest.raises(Unreadable, match="100 MiB"):
        unpack.unpack(file.getvalue(), "attention")


def test_the_choice_of_a_file_survives_a_bomb_beside_it():
    from coursekit.engine.reader.choose import choose
    from coursekit.engine.reader.repair import Draft

    def rebuild_or_fail(data):
        if data == b"bomb":
            raise MemoryError
        return Draft([], [Note("k", "", "d")])

    files = [("attention.ipynb", lambda: b"fine"), ("b.ipynb", lambda: b"bomb")]
    outcome, _, flags = choose(files, "attention.ipynb", rebuild_or_fail)
    assert outcome.repairs and [flag.kind for flag in flags] == ["several_notebooks"]


def test_the_server_outlives_who_asks_for_nothing(servers, master):
    import socket

    for data in (b"", b"\x00\x00", b"\xff\xff\xff\xff"):
        with socket.socket(socket.AF_UNIX) as other:
            other.connect(str(servers.folder / "reader.sock"))
            other.sendall(data)
    assert have_read(master, servers, notebook(master))[1] == ""


def differences(master, servers, data):
    with Submission.of_bytes({"attention.ipynb": data}) as submission:
        return reader_client.read_differences(master, submission, servers)


def test_what_repair_changed_comes_from_the_reader(master, servers):
    assert differences(master, servers, notebook(master)) == []
    said = differences(master, servers, notebook(master, edited))
    assert {sign for sign, _ in said} == set("@ +"), "what was lost is put back, what is the student's stays"
    swap = differences(master, servers, notebook(master, lambda cells: cells.insert(3, cells.pop(5))))
    assert ("-", "# Test: negative numbers") in swap and ("+", "# Test: negative numbers") in swap


@pytest.mark.parametrize(
    "source",
    ["x = 1\n" * 10_000, "\n".join(f"x{n % 150} = 1" for n in range(5_000)), "x" * 1_000_000, "\ud800\n"],
)
def test_no_notebook_makes_a_long_difference(master, servers, source):
    def change(cells):
        cells.insert(2, {"cell_type": "code", "metadata": {}, "source": source, "outputs": []})
        cells.append(cells.pop(4))

    said = differences(master, servers, notebook(master, change))
    assert len(said) <= 401 and all(len(line) <= 300 for _, line in said)
    assert differences(master, servers, b"no notebook") == []


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b"\xff",
        msgpack.packb([["-"]]),
        msgpack.packb([["!", "x"]]),
        msgpack.packb([["-", "x" * 301]]),
        msgpack.packb([["-", "x"]] * 402),
        msgpack.packb({"-": "x"}),
        msgpack.packb([["-", 1]]),
    ],
)
def test_differences_outside_the_protocol_are_refused(answer):
    with pytest.raises(frames.WireError):
        reader_messages.unpack_differences(answer)
