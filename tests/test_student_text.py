"""What students wrote holds up nobody: wherever a process of ours meets it, time grows with its length and no faster.

Each place is given texts of twelve shapes, of one length and of four times as much. What our own process does with them
is measured in its CPU seconds. Where a confined process with a time limit does the work, the limit is what counts.
"""

import gc
import json
import math
import pickle
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from types import SimpleNamespace

import msgpack
import nbformat
import pytest
from nbgrader.server_extensions.formgrader import handlers
from small_course import cells, code, hand_in, leave_result, make_course, result, write_autograded
from test_marking_server import ask, serving
from traitlets.config import Config

from coursekit import confined
from coursekit.confined.worker import NotDone, Worker
from coursekit.course.roster import Roster
from coursekit.deliver import text as page_text
from coursekit.deliver.feedback.page import render
from coursekit.deliver.review.groups import failure_groups
from coursekit.deliver.review.similarity import MAX_CHARACTERS, SECONDS, similar_answers
from coursekit.deliver.review.week_data import Student, WeekData
from coursekit.engine.coordinator.reader_client import read, read_differences
from coursekit.engine.coordinator.run import MAX_MESSAGE, MAX_TRACE
from coursekit.engine.coordinator.submission import Submission
from coursekit.engine.reader.bypass_hints import bypasses
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.limits import READER_SECONDS, SLOWEST, Limits
from coursekit.engine.shared.master import fill
from coursekit.engine.shared.outputs import OutputBudget, mask_run_dependent
from coursekit.gradebook.formgrader import PAGE_SECONDS, page_of
from coursekit.gradebook.record import record
from coursekit.gradebook.settings import configure_nbgrader
from coursekit.grading.diagnosis import Mistake, diagnose
from coursekit.grading.place import Here
from coursekit.grading.run import grade_class
from coursekit.intake import layouts
from coursekit.intake.collect import collect
from coursekit.intake.opening import MAX_PATH, Downloaded

# One text of each is this, again and again, up to a length.
SHAPES = {
    "one line": "x + ",
    "blank lines": "\n",
    "lines of blanks": " \n",
    "brackets": "([{",
    "quotes": '"""\'',
    "terminal's escapes": "\x1b[3\x1b]0;",
    "one name": "_dispatch_torch",
    "calls in a comment": "os.system(subprocess.run(",
    "backslashes": "\\",
    "digits": "0",
    "numbers in a row": "_1",
    "blanks": " ",
    "tabs and returns": "\t\r",
    "letters of many kinds": "é\u202e\u0301𝒳",
    "HTML": "<a href='<!--",
    "Markdown": "*_`[![a](",
}
# Of the times for four times as much text: 4 where it is in proportion, 16 where it is quadratic.
MOST_RATIO = 10
NOISE = 0.3  # CPU seconds of which a ratio says nothing


def text_of(shape, length):
    """Something at both ends, since white space at an end is often taken off first."""
    # What installs a package is forgiven, so that all of the line has to be read.
    beginning, end = ("# ", " pip") if shape == "calls in a comment" else ("x", "y")
    unit, room = SHAPES[shape], length - len(beginning) - len(end)
    return beginning + (unit * (room // len(unit) + 1))[:room] + end


def places(course, week):
    """{place: what our own process does there with a text}."""
    master = course.master(week)

    def pages_text(text):
        page_text.shorten(text, 1000)
        for do in ("make_visible", "terminal_text", "short_traceback", "is_blank"):
            getattr(page_text, do)(text)

    def output(text):
        data = json.dumps({"name": "stdout", "text": text}).encode()
        kept = []
        OutputBudget(4096).put_message(kept, "stream", data)
        assert mask_run_dependent(kept)

    def failing(text):
        one = result("s01", (0.0, 0.0))
        for test in one.tests:
            test.message, test.trace = text[:MAX_MESSAGE], text[:MAX_TRACE]
        return one

    def student_page(text):
        made = json.loads(fill(master, {"double": text, "why": text}))
        error = {
            "output_type": "error",
            "ename": text[:200],
            "evalue": text[:4000],
            "traceback": [text[:8000]] * 40,
        }
        made["cells"][1]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": text}, error]
        assert "<!DOCTYPE html>" in render(master, failing(text), nbformat.from_dict(made))[:100]

    def failures(text):
        one = failing(text)
        answer = SimpleNamespace(question="double", tell="Told.", path=Path("wrong.py"))
        diagnose(one, [Mistake(answer, {test.id: f"{test.trace}." for test in one.tests})])
        assert failure_groups(WeekData(week, master, [Student("s01", "s01", one)], Roster(), ""))

    def names_of_files(text):
        """As many as fit into the text's length, since no name is longer."""
        name = text.replace("/", "")[:MAX_PATH]
        numbers = range(max(1, len(text) // MAX_PATH))
        entries = [Downloaded(f"{number}{name}\n.ipynb", number, b"") for number in numbers]
        assert layouts.claims(entries, entries, course, week)

    return {
        "bypasses": lambda text: bypasses(text, by_hand=True),
        "text of a page": pages_text,
        "output": output,
        "student's page": student_page,
        "failures": failures,
        "files' names": names_of_files,
    }


PLACES = ("bypasses", "text of a page", "output", "student's page", "failures", "files' names")


@pytest.mark.parametrize(
    ("length", "most_seconds"), [(25_000, 1.0), pytest.param(500_000, 6.0, marks=pytest.mark.slow)]
)
@pytest.mark.parametrize("place", PLACES)
def test_time_grows_with_the_text_and_no_faster(tmp_path, request, announce, place, length, most_seconds):
    do = places(*make_course(tmp_path))[place]
    do("x = 1")  # what is done once
    wrong = []
    # What other tests have left in this process is not gone through again each time that garbage is collected.
    gc.collect()
    gc.freeze()
    request.addfinalizer(gc.unfreeze)

    def seconds(text):
        """The least of three, where it is long: a busy machine slows CPU seconds, too."""
        least = math.inf
        for _ in range(3):
            began = time.process_time()
            do(text)
            least = min(least, time.process_time() - began)
            if least < NOISE:
                break
        return least

    for shape in SHAPES:
        short, long = seconds(text_of(shape, length)), seconds(text_of(shape, 4 * length))
        ratio = long / max(short, 0.001)
        line = f"{place:16} {shape:22} {4 * length:9,} characters {long:7.3f} s, ratio {ratio:4.1f}"
        announce(line)
        if long > most_seconds or (long > NOISE and ratio > MOST_RATIO):
            wrong.append(line)
    assert not wrong, "\n".join(wrong)


@pytest.mark.slow
@pytest.mark.parametrize("shape", SHAPES)
def test_confined_work_ends_in_time(tmp_path, servers, announce, shape):
    """What libraries do with a text, and repair: in processes that end, whatever the text is."""
    course, week = make_course(tmp_path)
    master, text = course.master(week), text_of(shape, 2_000_000)

    def timed(place, most_seconds, do):
        began = time.monotonic()
        done = do()
        seconds = time.monotonic() - began
        announce(f"{place:16} {shape:22} {len(text):9,} characters {seconds:7.3f} s of {most_seconds}")
        assert seconds < most_seconds, place
        return done

    with Submission.of_bytes({"attention.ipynb": fill(master, {"double": text})}) as submission:
        most = 2 * SLOWEST * READER_SECONDS + 5
        timed("reader", most, lambda: read(master, submission, Limits(), servers))
        timed("differences", most, lambda: read_differences(master, submission, servers))

    honest = (
        "def double(x):\n    total = x\n    for n in range(3):\n        total = total + n\n    return total"
    )
    some = [
        Student(name, name, result(name), answers={"double": answer})
        for name, answer in (("s01", honest), ("s02", text), ("s03", honest))
    ]
    _, left_out = timed(
        "comparison", 8 * SECONDS + 15, lambda: similar_answers(WeekData(week, master, some, Roster(), ""))
    )
    assert {student.id for student in left_out} <= {"s02"}

    path = write_autograded(course, "s01", text)
    resources = {"notebook_id": "attention", "index": 0, "total": 1}
    with Worker(
        "coursekit.gradebook.submission_page", formgraders_settings(), seconds=PAGE_SECONDS
    ) as worker:
        page = timed("formgrader", 6 * PAGE_SECONDS + 15, lambda: page_of(path, resources, worker))
    assert 'id="why"' in page, "marks can be given"


def formgraders_settings():
    config = Config()
    configure_nbgrader(config)
    config.HTMLExporter.template_name = "formgrade"
    config.HTMLExporter.extra_template_basedirs = [handlers.template_path]
    return pickle.dumps(config)


@pytest.mark.slow
@pytest.mark.parametrize("question", ["why", "double"])
def test_the_marking_server_answers(tmp_path, announce, question):
    """A page with an answer of each shape."""
    course, week = make_course(tmp_path)
    some = [result(f"s{number:02}", (0.0, 0.0)) for number in range(len(SHAPES))]
    for one, shape in zip(some, SHAPES, strict=True):
        leave_result(course, one, text_of(shape, 2_000_000))
    record(course, week, some)
    with serving(course.root, "--names") as address:
        began = time.monotonic()
        status, _, page = ask(address, f"Ann/{week.name}/{question}")
        seconds = time.monotonic() - began
    announce(f"{'marking':16} {'one of each':22} {seconds:.3f} s")
    assert status == 200 and "s03" in page and seconds < 20


@pytest.mark.slow
def test_what_takes_too_long_is_ended_and_the_next_is_done():
    blanks = text_of("lines of blanks", MAX_CHARACTERS)
    with Worker("coursekit.deliver.review.fingerprints", seconds=1) as worker:
        began = time.monotonic()
        with pytest.raises(NotDone):
            worker.do(msgpack.packb([blanks] * 4))
        assert time.monotonic() - began < 30
        assert len(msgpack.unpackb(worker.do(msgpack.packb(["x = 1", "y = 2"])))) == 2


def test_a_job_that_is_wrong_itself_says_so():
    with Worker("coursekit.deliver.review.fingerprints", seconds=5) as worker:
        with pytest.raises(CourseError, match="(?s)fingerprints failed:\n.*Error"):
            worker.do(msgpack.packb([1]))
        assert msgpack.unpackb(worker.do(msgpack.packb(["x = 1"]))) == [[]]
    with (
        Worker("coursekit.no_such_job", seconds=1) as worker,
        pytest.raises(CourseError, match="(?s)no_such_job did not start:\n.*ModuleNotFoundError"),
    ):
        worker.do(b"")


def test_confined_work_reads_no_file_and_writes_none(tmp_path, monkeypatch):
    """A library that a text has made its own gets nowhere."""
    (tmp_path / "job_of_a_test.py").write_text(
        "import tempfile\n"
        "def prepare(setup): pass\n"
        "def work(data):\n"
        "    try:\n        open(data.decode())\n        return b'read'\n"
        "    except PermissionError:\n        pass\n"
        "    try:\n        open(tempfile.gettempdir() + '/x', 'w')\n        return b'written'\n"
        "    except OSError:\n        return b'neither'\n"
    )
    secret = tmp_path / "secret"
    secret.write_text("s")
    environment = confined.worker.environment() | {"PYTHONPATH": str(tmp_path)}
    monkeypatch.setattr(confined.worker, "environment", lambda: environment)
    with Worker("job_of_a_test", seconds=5) as worker:
        assert worker.do(str(secret).encode()) == b"neither"


def test_a_name_that_no_file_system_has_is_not_placed(tmp_path):
    course, week = make_course(tmp_path)
    data = fill(course.master(week), {})
    with zipfile.ZipFile(tmp_path / "download.zip", "w") as archive:
        archive.writestr("ann.ipynb", data)
        archive.writestr(f"bo{' ' * 60_000}.ipynb", data)
    done = collect(course, week, str(tmp_path / "download.zip"))
    assert [one.student for one in done.students] == ["ann"]
    assert list(done.unplaced.values()) == ["its name is longer than 1,000 characters."]


def answer(text):
    """An answer that is more than a comment."""
    return f"{text}\ndef double(x):\n    return x"


def hostile_files(master):
    """24 files: each shape as an answer, and the costliest at other places."""
    worst = ("lines of blanks", "calls in a comment", "quotes", "HTML")
    long = {shape: text_of(shape, 1_900_000) for shape in SHAPES}
    found = {f"answer, {shape}": fill(master, {"double": answer(text)}) for shape, text in long.items()}
    for shape in worst:
        found[f"words, {shape}"] = fill(master, {"why": long[shape]})
        notebook = json.loads(fill(master, {}))
        # Beside the name of something refused, the whole cell is searched.
        notebook["cells"].append(code("own", f"# statistics.mean {long[shape]}"))
        found[f"own cell, {shape}"] = json.dumps(notebook).encode()
    return dict(list(found.items())[:24])


def from_scratch_course(root):
    some_cells = cells()
    some_cells[3]["metadata"]["course"] = {"from_scratch": ["statistics.mean"]}
    return make_course(root, some_cells)


@pytest.mark.slow
def test_hostile_texts_cost_no_neighbour_anything(tmp_path, announce):
    """24 hostile files beside six honest ones, whose results are those that they have alone."""
    answers = {
        "s0": "def double(x):\n    return x + x",
        "s1": "def double(x):\n    return 2 * x",
        "s2": "def double(x):\n    return abs(2 * x)",
        "s3": "def double(x):\n    return x",
        "s4": "def double(x):\n    import ctypes\n    return x + x",
        "s5": "raise ValueError",
    }
    seen, seconds = [], []
    for name in ("alone", "together"):
        root = tmp_path / name
        root.mkdir()
        course, week = from_scratch_course(root)
        master = course.master(week)
        for student, answer in answers.items():
            hand_in(course, student, fill(master, {"double": answer, "why": "A sum."}))
        files = hostile_files(master) if name == "together" else {}
        for number, data in enumerate(files.values()):
            hand_in(course, f"s{number % 6}-{number:02}", data)
        began = time.monotonic()
        run = grade_class(course, week, place=Here(2))
        seconds.append(time.monotonic() - began)
        assert len(run.results) == 6 + len(files) and not run.failed
        assert not [student for student, one in run.results.items() if one.faulty]
        seen.append(
            {
                student: (one.status, one.score, one.tests, one.questions, one.flags, one.stops)
                for student, one in run.results.items()
                if student in answers
            }
        )
    announce(f"6 alone {seconds[0]:.1f} s, with 24 hostile files {seconds[1]:.1f} s")
    assert len(files) == 24 and seen[0] == seen[1]
    assert [flag.kind for flag in seen[0]["s4"][4]] == ["from_scratch"]


@pytest.mark.slow
def test_ctrl_c_is_heard_among_hostile_texts(tmp_path, announce):
    course, week = from_scratch_course(tmp_path)
    master = course.master(week)
    hand_in(course, "a", fill(master, {"double": "def double(x):\n    return x + x"}))
    comment = fill(master, {"double": answer(text_of("calls in a comment", 1_900_000))})
    for number, data in enumerate([comment] * 12 + list(hostile_files(master).values())):
        hand_in(course, f"b{number:02}", data)
    command = [sys.executable, "-m", "coursekit.cli", "grade", "--workers", "2"]
    with subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as program:
        end = time.monotonic() + 120
        while not list((tmp_path / "autograded").glob("a/*/result.json")) and time.monotonic() < end:
            assert program.poll() is None, program.stdout.read().decode()
            time.sleep(0.1)
        time.sleep(5)
        assert program.poll() is None, "there was to be work left"
        began = time.monotonic()
        program.send_signal(signal.SIGINT)
        try:
            program.wait(10)
        finally:
            program.kill()
    announce(f"Ctrl-C is answered after {time.monotonic() - began:.1f} s")
