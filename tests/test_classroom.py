"""Grading a class: everybody gets an answer, nothing is done twice, nothing is lost."""

import dataclasses
import errno
import json
import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from types import SimpleNamespace

import pytest
from command import course_process
from msgspec.structs import replace
from quick import first
from small_course import RIGHT, edit, hand_in, make_course

from coursekit.course.config import open_course
from coursekit.deliver.export import export_csv
from coursekit.engine.coordinator import servers
from coursekit.engine.coordinator.forked_process import ServerLost
from coursekit.engine.coordinator.grade import warm_modules
from coursekit.engine.coordinator.servers import Servers
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.limits import Calibration
from coursekit.engine.shared.result import Result
from coursekit.engine.supervisor import sandbox
from coursekit.files import write_together
from coursekit.gradebook.record import record
from coursekit.grading import place, store
from coursekit.grading.place import Here
from coursekit.grading.run import _in_parallel, grade_class, students
from coursekit.grading.warm_start import start_servers
from coursekit.pipeline import feedback_week, grade_week

pytestmark = pytest.mark.usefixtures("warm")


@pytest.fixture
def course(tmp_path):
    return make_course(tmp_path)[0]


@pytest.fixture
def week(course):
    return course.weeks[0]


def result(course, student):
    return Result.read(course.autograded(student, course.weeks[0]) / "result.json")


def scores(run):
    return {student: (item.status, item.score) for student, item in run.results.items()}


def test_everybody_gets_an_answer(course, week):
    hand_in(course, "right")
    hand_in(course, "stub", {})
    hand_in(course, "renamed", name="attention (1).ipynb")
    hand_in(course, "broken", b"{")
    hand_in(course, "crash", {"double": "import os; os._exit(1)"})
    course.submitted("nothing", week).mkdir(parents=True)
    (course.root / "submitted" / "elsewhere").mkdir()
    run = grade_class(course, week, place=Here(2))
    assert scores(run) == {
        "broken": ("unreadable", 0),
        "crash": ("repaired", 0),  # it defines nothing that was asked for
        "nothing": ("unreadable", 0),
        "renamed": ("repaired", 5),
        "right": ("graded", 5),
        "stub": ("graded", 0),
    }
    for student, item in run.results.items():
        assert result(course, student) == item
        assert (course.autograded(student, week) / "attention.ipynb").is_file()
    assert run.results["renamed"].repairs[0].kind == "renamed_file"
    record(course, week, run.results.values())
    assert len(export_csv(course, week).splitlines()) == 7


def test_what_has_not_changed_is_not_graded_again(course, week):
    hand_in(course, "a")
    hand_in(course, "b")
    assert grade_class(course, week).fresh == {"a", "b"}
    assert grade_class(course, week).fresh == set()
    hand_in(course, "a", RIGHT | {"double": "def double(x):\n    return 0"})
    assert grade_class(course, week).fresh == {"a"}
    (course.autograded("b", week) / "result.json").write_text("half a re")
    assert grade_class(course, week).fresh == {"b"}
    assert grade_class(course, week, force=True, only=["a"]).fresh == {"a"}
    edit(course, "double-values", points=1)
    run = grade_class(course, week)
    assert run.fresh == {"a", "b"} and run.results["b"].max_score == 4


def test_servers_start_before_the_run_where_there_is_surely_something_to_grade(course, week, monkeypatch):
    path = course.root / "course.toml"
    path.write_text(path.read_text().replace("modules = []", 'modules = ["torch", "numpy"]'))
    course = open_course(course.root)
    started = []
    monkeypatch.setattr(Servers, "start", lambda servers: started.append(servers.modules))

    def begun(only=None, force=False, weeks=(week,)):
        started.clear()
        start_servers(course, list(weeks), only, force, False)
        return started

    assert not begun(), "nobody has handed in anything"
    course.submitted("<b>x", week).mkdir(parents=True)
    assert not begun(), "this is no student"
    hand_in(course, "a")
    assert begun() == [["torch"]] and begun(only=["b"]) == [], "its cells import nothing else"
    hand_in(course, "b")
    path = course.autograded("a", week) / "result.json"
    path.parent.mkdir(parents=True)
    path.write_text("a result, good or not")
    assert begun() and begun(only=["b"]) and not begun(only=["a"]) and begun(only=["a"], force=True)
    other = replace(week, name="week2_multi_head")
    assert begun(weeks=(other, week)), "of the first week that has anything"
    course.submitted("c", other).mkdir(parents=True)
    (course.autograded("c", other)).mkdir(parents=True)
    (course.autograded("c", other) / "result.json").touch()
    assert not begun(weeks=(other, week))
    edit(course, "double-values", source="# Test: trained\noptim.Adam(double(2))")
    assert begun() == [warm_modules(course.master(week), course.limits)]
    assert begun()[0][-1] == "torch._dynamo"


@pytest.mark.slow
def test_servers_that_started_before_are_those_that_grade(course, week, monkeypatch):
    """Where they are not what the master needs, others are."""
    monkeypatch.setattr(place, "Servers", Servers)  # and not those that are warm already
    made = []
    real = servers.Generation.__init__
    monkeypatch.setattr(servers.Generation, "__init__", lambda *given: made.append(given[1:]) or real(*given))
    hand_in(course, "a")
    modules = warm_modules(course.master(week), course.limits)
    for wanted, expected in ((modules, 1), ([*modules, "statistics"], 2)):
        made.clear()
        before = Servers(False, wanted)
        before.start()
        assert grade_class(course, week, place=Here(2, before), force=True).fresh == {"a"}
        assert len(made) == expected and made[-1] == (modules, 0)
        assert before._generation is None, "they have ended"


def test_links_are_not_followed(course, week, tmp_path):
    folder = course.submitted("linker", week)
    folder.mkdir(parents=True)
    (folder / "attention.ipynb").symlink_to(course.source(week))
    (course.root / "submitted" / "linked").symlink_to(folder.parent)
    elsewhere = course.submitted("week-linker", week)
    elsewhere.parent.mkdir()
    elsewhere.symlink_to(course.source(week).parent)
    inner = course.submitted("folder-linker", week)
    inner.mkdir(parents=True)
    (inner / "copy").symlink_to(course.source(week).parent)
    assert students(course, week) == ["folder-linker", "linker", "week-linker"]
    assert scores(grade_class(course, week)) == dict.fromkeys(students(course, week), ("unreadable", 0))


def test_files_beside_the_notebook_do_nothing(course, week):
    answer = "import statistics\ndef double(x):\n    return statistics.double(x)"
    hand_in(course, "shadow", {"double": answer})
    (course.submitted("shadow", week) / "statistics.py").write_text("def double(x): return x + x")
    assert grade_class(course, week).results["shadow"].score == 0


def test_a_folder_that_is_no_student_id_is_named_and_the_others_are_graded(course, week):
    hand_in(course, "fine")
    hand_in(course, "<b>x")
    run = grade_class(course, week)
    assert set(run.results) == {"fine"} and "student's id" in run.failed["<b>x"]


def test_without_landlock_it_refuses_and_unsafe_marks_every_result(course, week, monkeypatch):
    hand_in(course, "a")
    monkeypatch.setenv("COURSEKIT_SIMULATE_NO_LANDLOCK", "1")
    assert sandbox.missing()
    with pytest.raises(CourseError, match="--unsafe"):
        grade_class(course, week)
    assert result(course, "a") is None
    run = grade_class(course, week, unsafe=True)
    assert scores(run) == {"a": ("graded", 5)}
    unsafe = result(course, "a")
    assert [flag.kind for flag in unsafe.flags] == ["unsafe"] and unsafe.needs_review
    monkeypatch.delenv("COURSEKIT_SIMULATE_NO_LANDLOCK")
    assert grade_class(course, week).fresh == {"a"}, "an unsafe result does not count where it can be safe"
    assert result(course, "a").flags == []


@pytest.mark.slow
def test_killed_midway_and_run_again(course, week):
    """SIGKILL while results are being written: the next run has the same results as an undisturbed one."""
    names = [f"s{number}" for number in range(8)]
    for number, name in enumerate(names):
        hand_in(course, name, RIGHT if number % 2 else {})
    process = course_process(course.root, "grade", "--workers", "2")
    deadline = time.monotonic() + 120
    while not any(result(course, name) for name in names) and time.monotonic() < deadline:
        time.sleep(0.02)
    process.kill()
    process.communicate()
    done = {name for name in names if result(course, name)}
    assert 0 < len(done) < len(names)
    process = course_process(course.root, "grade", "--json")
    answer = json.loads(process.communicate()[0])["week1_attention"]
    assert process.returncode == 0 and set(answer["unchanged"]) >= done and answer["failed"] == {}
    assert [result(course, name).score for name in names] == [0, 5] * 4
    assert len(export_csv(course, week).splitlines()) == 9


@pytest.mark.slow
def test_interrupted_by_the_keyboard(course, week):
    for number in range(6):
        hand_in(course, f"s{number}", {"double": "while True: pass"})
    process = course_process(course.root, "grade", start_new_session=True)
    time.sleep(8)
    os.killpg(process.pid, signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 130 and "interrupted" in errors


@pytest.mark.parametrize("error", [ZeroDivisionError, MemoryError, RecursionError])
def test_whatever_one_submission_causes_costs_only_its_student(course, week, monkeypatch, error):
    """In grading: a result with a flag. In storing it: a sentence, and the next run tries again."""
    for student in "abc":
        hand_in(course, student)
    grade, write = place.grade, store.store

    def faulty_grade(master, submission, *rest):
        if submission.student == "a":
            raise error("of the engine")
        return grade(master, submission, *rest)

    def faulty_store(course, week, graded, why):
        if graded.result.student == "b":
            raise error("in storing")
        write(course, week, graded, why)

    monkeypatch.setattr(place, "grade", faulty_grade)
    monkeypatch.setattr("coursekit.grading.run.store", faulty_store)
    run = grade_class(course, week, place=Here(2))
    assert scores(run) == {"a": ("fault", 0), "c": ("graded", 5)} and run.faulty == {"a"}
    (flag,) = run.results["a"].flags
    assert flag.kind == "engine_fault" and "of the engine" in flag.values["error"]
    assert set(run.failed) == {"b"} and "in storing" in run.failed["b"]
    monkeypatch.undo()
    assert scores(grade_class(course, week, only=["b"]))["b"] == ("graded", 5)


def test_whatever_one_page_causes_the_others_are_written(course, week, monkeypatch):
    from coursekit.deliver.feedback import page

    for student in "ab":
        hand_in(course, student)
    assert grade_week(course, week, place=Here(2)).complete
    write = page.write_feedback

    def faulty(course, week, student, *more):
        if student == "a":
            raise MemoryError("a page without end")
        return write(course, week, student, *more)

    monkeypatch.setattr(page, "write_feedback", faulty)
    done = feedback_week(course, week)
    assert done.paths == [course.feedback("b", week) / "attention.html"] and done.paths[0].is_file()
    assert set(done.failed) == {"a"} and "a page without end" in done.failed["a"]


@pytest.mark.parametrize("number", first(1, [errno.ENOSPC, errno.EACCES]))
def test_a_result_that_cannot_be_written(course, week, monkeypatch, number):
    """A full disk ends the run: what comes next could not be written either. Else it costs its own student."""
    everyone = [f"s{index}" for index in range(8)]
    for student in everyone:
        hand_in(course, student)
    tried = []

    def write(files):
        tried.extend({path.parent.parent.name for path in files})
        if len(tried) == 3 or (len(tried) > 3 and number == errno.ENOSPC):
            raise OSError(number, os.strerror(number), str(next(iter(files))))
        return write_together(files)

    monkeypatch.setattr(store, "write_together", write)
    if number == errno.ENOSPC:
        with pytest.raises(CourseError, match=f"{os.strerror(number)}. Make room"):
            grade_class(course, week, place=Here(1))
        # The one that did not fit, and those that had begun: no thread goes on when the command has ended.
        assert len(tried) <= 5 and not [thread for thread in threading.enumerate() if "Pool" in thread.name]
        assert {student for student in everyone if result(course, student)} == set(tried[:2])
    else:
        run = grade_class(course, week, place=Here(1))
        assert set(run.failed) == {tried[2]} and run.fresh == set(everyone) - set(run.failed)
    kept = {student for student in everyone if result(course, student)}
    monkeypatch.undo()
    assert grade_class(course, week).fresh == set(everyone) - kept


def test_a_process_that_cannot_be_forked_is_tried_again(monkeypatch):
    """Somebody's fork bomb takes the last process number for a moment: nobody else is the worse for it."""
    done = SimpleNamespace(result=SimpleNamespace(faulty=False))
    answers = [BlockingIOError(11, "Resource temporarily unavailable"), done]

    def grade(*_):
        answer = answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer

    monkeypatch.setattr(place, "PAUSE_SECONDS", 0)
    monkeypatch.setattr(place, "grade", grade)
    assert place.grade_with_retries(None, SimpleNamespace(student="a"), None, None) is done and answers == []


def start_holders(slots, count):
    """Start so many threads that want a slot and keep it. Returns (who has got one, an event that ends them, them)."""
    inside, end = [], threading.Event()

    def work(number):
        with place.slot(slots):
            inside.append(number)
            end.wait(60)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(count)]
    for thread in threads:
        thread.start()
    return inside, end, threads


@pytest.mark.parametrize(("slow", "expected"), [(1000, 2), (0.05, 5)])
def test_a_slow_submission_gives_up_its_slot(monkeypatch, slow, expected):
    monkeypatch.setattr(place, "SLOW_SECONDS", slow)
    slots = threading.Semaphore(2)
    inside, end, threads = start_holders(slots, 5)
    deadline = time.monotonic() + 30
    while len(inside) < expected and time.monotonic() < deadline:
        time.sleep(0.01)
    assert len(inside) == expected
    end.set()
    for thread in threads:
        thread.join()
    assert len(inside) == 5 and [slots.acquire(blocking=False) for _ in range(3)] == [True, True, False]


@pytest.mark.parametrize("memory_for", [1, 100])
def test_no_more_kernels_than_this_machine_has_space_for(course, week, monkeypatch, memory_for):
    monkeypatch.setattr(place, "max_kernels", lambda limits: memory_for)
    with Here(3).week(course, week, course.master(week), unsafe=False) as grader:
        assert grader.capacity() == min(memory_for, 6)


def test_no_more_submissions_are_under_way_than_the_capacity():
    running, most, lock = set(), [], threading.Lock()

    def work(student):
        with lock:
            running.add(student)
            most.append(len(running))
        time.sleep(0.001)
        with lock:
            running.remove(student)
        if student == "s17":
            raise CourseError("not this one")

    names = [f"s{number}" for number in range(200)]
    reports = []
    done = dict(_in_parallel(work, names, lambda: 3, lambda *report: reports.append(report)))
    assert {name: reason for name, reason in done.items() if reason} == {"s17": "not this one"}
    assert set(done) == set(names) and reports[-1] == (200, 200) and 1 < max(most) <= 3


@pytest.mark.parametrize("lost", [1, 2])
def test_a_submission_that_was_lost_with_a_worker_is_graded_again_alone(course, week, lost):
    """Lost once more, it may be the reason: its student gets a result that says that the grader failed."""
    for student in "abc":
        hand_in(course, student)
    here, begun, beside = Here(2), [], set()

    class Loses:
        @contextmanager
        def week(self, *given):
            with here.week(*given) as grader:

                def grade_one(submission, before):
                    begun.append(submission.student)
                    beside.add(submission.student)
                    try:
                        if submission.student == "b" and begun.count("b") <= lost:
                            raise ServerLost("a worker died")
                        assert begun.count("b") < 2 or submission.student != "b" or beside == {"b"}
                        return grader.grade_one(submission, before)
                    finally:
                        beside.remove(submission.student)

                yield grader._replace(grade_one=grade_one)

    run = grade_class(course, week, place=Loses())
    assert run.failed == {} and run.fresh == set("abc") and begun.count("b") == 2
    assert scores(run)["b"] == (("graded", 5) if lost == 1 else ("fault", 0))
    assert run.faulty == (set() if lost == 1 else {"b"})


ENDLESS = RIGHT | {"double": "def double(x):\n    while True: pass"}


@pytest.mark.slow
@pytest.mark.parametrize(("waiting", "times"), [(0.1, 1), (0.9, 2)])
def test_what_a_clock_has_cut_is_tried_again_alone_on_a_busy_machine(
    course, week, monkeypatch, waiting, times, request
):
    """Where it cost points; on a quiet one it stands. In either case the next run grades it again."""
    measured = Calibration(waiting=waiting)
    monkeypatch.setattr(place, "calibrate", lambda: measured)
    real, begun, beside = place.grade, [], []

    def grade(master, submission, *rest):
        begun.append(submission.student)
        beside.append(submission.student)
        try:
            if begun.count("slow") > 1 and submission.student == "slow":
                assert beside == ["slow"], "it is not alone"
            return real(master, submission, *rest)
        finally:
            beside.remove(submission.student)

    monkeypatch.setattr(place, "grade", grade)
    monkeypatch.setattr(request.getfixturevalue("servers"), "_calibration", measured)
    short = dataclasses.replace(course.limits, test_seconds=0.5, question_seconds=0.5)
    course = dataclasses.replace(course, limits=short)
    hand_in(course, "slow", ENDLESS)
    hand_in(course, "a")
    hand_in(course, "b")
    hand_in(course, "wrong", RIGHT | {"double": "def double(x):\n    return x"})
    run = grade_class(course, week, place=Here(2))
    assert {name: begun.count(name) for name in begun if name} == {"slow": times, "a": 1, "b": 1, "wrong": 1}
    assert run.failed == {} and scores(run)["slow"] == ("stopped", 0) and run.results["slow"].by_clock
    assert grade_class(course, week, place=Here(2)).fresh == {"slow"}


@pytest.mark.slow
@pytest.mark.parametrize("shared", ["disk", "processes"])
def test_what_a_neighbour_takes_of_what_all_share_costs_nobody_marks(tmp_path, shared):
    """On a machine with little temporary space, beside those who fill it or fill the table of processes."""
    if os.getuid() != 0:
        pytest.skip("only root can make a file system of 450 MiB")
    small, root = tmp_path / "small", tmp_path / "course"
    small.mkdir()
    root.mkdir()
    course, week = make_course(root)
    writes = (
        "def double(x):\n    import threading, time\n    with open('mine', 'wb') as file:\n"
        "        file.write(bytes(40 << 20))\n        file.flush()\n"
        "    threads = [threading.Thread(target=time.sleep, args=(0.2,)) for _ in range(50)]\n"
        "    for thread in threads: thread.start()\n    for thread in threads: thread.join()\n    return x + x"
    )
    takes = {
        "disk": "for number in range(1000):\n    with open(str(number), 'wb') as file: file.write(bytes(100 << 20))",
        "processes": "import os, time\nwhile True:\n    if os.fork() == 0: time.sleep(100)",
    }[shared]
    for number in range(6):
        hand_in(course, f"a{number}", RIGHT | {"double": writes})
        hand_in(course, f"b{number}", RIGHT | {"double": takes})
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=450m", "tmpfs", str(small)], check=True)
    try:
        done = subprocess.run(
            [sys.executable, "-m", "coursekit.cli", "grade", "--workers", "6"],
            cwd=course.root,
            env=os.environ | {"TMPDIR": str(small)},
            capture_output=True,
            text=True,
        )
        assert list(small.iterdir()) == []
    finally:
        subprocess.run(["umount", "-l", str(small)], check=True)
    assert done.returncode == 0, done.stdout + done.stderr
    found = {student: result(course, student) for student in students(course, week)}
    stops = {note.kind for item in found.values() for note in item.stops}
    assert {"disk": "scratch", "processes": "processes"}[shared] in stops, "nobody took too much"
    assert {name: item.score for name, item in found.items()} == {
        name: 5 if name[0] == "a" else 0 for name in found
    }, {name: [(test.outcome, test.message) for test in item.tests] for name, item in found.items()}
