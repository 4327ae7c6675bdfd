"""grade(): marks for what the student's code does, whatever else it does."""

import dataclasses
import json
import random

import nbformat
import pytest
import small_course
from quick import ALL
from small_course import cells, code, graded, master_of, triple_cells

from coursekit.engine.coordinator.grade import grade
from coursekit.engine.shared.limits import Limits
from coursekit.engine.shared.master import fill
from coursekit.engine.shared.result import GRADED, REPAIRED, STOPPED, UNREADABLE, Result

LIMITS = Limits(cell_seconds=2, test_seconds=1, all_cells_seconds=60, memory_mb=1024)
INPLACE = """# Test: the list is not changed
def probe_after(function, values):
    function(values)
    return values
assert probe_after(triple, [1, 2]) == [1, 2], "triple changed its argument"
assert triple([1]) == [1, 1, 1]"""


@pytest.fixture(scope="module")
def master():
    more = [
        *triple_cells(),
        code("triple-kept", INPLACE, **graded("triple_kept", grade=True, points=2)),
        code("picture", "raise RuntimeError('not repeated')", tags=["skip-grading"]),
        code("last", "print('total', double(1) + triple(1))"),
    ]
    return master_of(*cells(), *more)


RIGHT = small_course.RIGHT | {"triple": "def triple(x):\n    return x * 3"}


@pytest.fixture
def run(master, servers):
    """A function: {question: an answer, where it is not the right one} to what comes of it."""

    def run(limits=LIMITS, **answers):
        return grade(master, fill(master, RIGHT | answers), limits, servers)

    return run


def graded_notebook(graded):
    """The graded notebook, which must be a valid one."""
    found = nbformat.reads(graded.notebook.decode(), as_version=4)
    nbformat.validate(found)
    return found


def outcomes(graded):
    return {test.id: test.outcome for test in graded.result.tests}


def test_right_answers_get_full_marks(run):
    graded = run()
    result = graded.result
    assert (result.status, result.score, result.max_score) == (GRADED, 9, 9)
    assert [(item.id, item.score, item.max_score) for item in result.questions] == [
        ("double", 5, 5),
        ("why", None, 4),
        ("triple", 4, 4),
    ]
    assert result.needs_review and result.flags == [] and result.repairs == []
    last = graded_notebook(graded).cells[-1]
    assert last.outputs[0]["text"] == "total 5\n"
    assert Result.from_json(result.to_json()) == result


def test_the_stub_gets_nothing(master, servers):
    graded = grade(master, fill(master, {}), LIMITS, servers)
    assert graded.result.score == 0 and set(outcomes(graded).values()) == {"error"}
    assert "week 1, double" in graded.result.tests[0].message
    assert not graded.result.needs_review


def test_what_is_no_notebook_has_a_result_too(master, servers):
    graded = grade(master, b"{", LIMITS, servers)
    assert (graded.result.status, graded.result.score) == (UNREADABLE, 0)
    assert graded.result.flags[0].values == {"reason": "cut_off"}
    assert "cut off" in graded_notebook(graded).cells[0].source


@pytest.mark.parametrize(
    "habit",
    [
        "import warnings, sys\nwarnings.warn('careful')\nprint('oops', file=sys.stderr)\n",
        "!echo shell\n%time 1\n",
        "import numpy as np\nnp.seterr(all='raise')\n",
        "import torch\ntorch.set_default_dtype(torch.float64)\n",
        "from __future__ import annotations\n",
    ],
)
def test_habits_cost_nothing(run, habit):
    graded = run(double=habit + RIGHT["double"])
    assert graded.result.score == 9, outcomes(graded)


FAILED, ERRORS = {"double_hidden": "failed"}, {"double_values": "error", "double_hidden": "error"}
PROBED = "def triple(x):\n    y = x * 3\n    if y != 6: x.clear()\n    return y"  # a probe sees what a copy does not


@pytest.mark.parametrize(
    ("question", "answer", "lost", "message"),
    [
        ("double", "def double(x):\n    return x * x", FAILED, "negative numbers are not doubled"),
        ("double", "def double(x:\n    return", ERRORS, "'double' is not defined"),
        ("triple", PROBED, {"triple_kept": "failed"}, ""),
    ],
)
def test_a_wrong_answer_fails_its_tests_and_no_others(run, question, answer, lost, message):
    graded = run(**{question: answer})
    assert outcomes(graded) == dict.fromkeys(outcomes(graded), "passed") | lost
    assert any(message in test.message for test in graded.result.tests if test.id in lost)


def shown(graded):
    """All texts of the cells' outputs."""
    outputs = [output for cell in graded_notebook(graded).cells for output in cell.get("outputs", [])]
    return "".join(output.text for output in outputs if "text" in output)


HOGS = ("while True: hoard.append(bytearray(1 << 20))", "while True: hoard.append(hoard[:])")
SMALL_TIME = {"test_seconds": 0.1, "memory_mb": 8192}  # so that the time is met before the memory


@pytest.mark.slow
@pytest.mark.parametrize(
    ("body", "limits"),
    [
        ("while True: pass", {}),
        ("while True: pass", {"question_seconds": 1}),  # a question has a budget of its own
        ("import time; time.sleep(1000)", {"test_seconds": 0.3}),
        ("import os; os._exit(1)", {}),
        *((hog, limits) for hog in HOGS for limits in ({}, SMALL_TIME)),
    ],
)
def test_a_function_that_does_not_return_costs_its_own_question(run, body, limits):
    graded = run(dataclasses.replace(LIMITS, **limits), double=f"hoard = [1]\ndef double(x):\n    {body}")
    assert graded.result.status == STOPPED and graded.result.score == 4
    assert outcomes(graded)["double_values"] == "stopped"
    assert outcomes(graded)["double_hidden"] == ("not_run" if "question_seconds" in limits else "stopped")
    assert graded.result.by_clock or "hoard." in body or "exit" in body


def test_an_endless_cell_is_cut_and_the_rest_is_graded(run):
    graded = run(double="while True: pass")
    assert graded.result.status == GRADED and graded.result.score == 4 and graded.result.by_clock
    assert "This cell stopped at line 1: it was not finished after 2 seconds" in shown(graded)


# What stops a cell, by a name.
STOPS = {
    "error": "1 / 0",
    "assert": "assert double(2) == 5",
    "name": "print(undefined)",
    "exit": "import sys; sys.exit('done')",
    "memory": "pile = []\nwhile True: pile.append(bytearray(1 << 26))",
    "interrupt": "raise KeyboardInterrupt",
    "recursion": "def again(): again()\nagain()",
    "endless": "while True: pass",
    "sleep": "import time\nwhile True: time.sleep(100)",
    "os_exit": "import os\nos._exit(0)",
    "killed": "import os, signal\nos.kill(os.getpid(), signal.SIGKILL)",
    "fault": "import ctypes\nctypes.string_at(0)",
    "deep_in_c": "import sys, re\nsys.setrecursionlimit(10**8)\ndeep = lambda f: f(f)\n[].sort(key=deep)\n"
    "class Deep:\n    def __repr__(self): return repr(self)\nrepr(Deep())",
    "flood": "while True: print('x' * 10_000, flush=True)",
    "processes": "import os, time\nwhile True:\n    if os.fork() == 0: time.sleep(100)",
    "disk": "for number in range(1000):\n    open(str(number), 'wb').write(bytes(30 << 20))",
}
# Tried at every place: an error, a limit, the end of the process. With COURSE_ALL, every stop is tried at every place.
EVERYWHERE = ("error", "endless", "os_exit")
TABLE = "TABLE = [value * 2 for value in range(1000)]\ndef double(x):\n    return x + TABLE[1] - 2 + x"


@pytest.mark.slow
@pytest.mark.parametrize("stop", STOPS)
def test_points_do_not_depend_on_how_a_cell_stops(run, stop):
    """What it defines counts, whatever is above or below it; what it computed above the stop counts as well."""
    answers = {
        "above": f"{STOPS[stop]}\n\ndef double(x):\n    return x + x",
        "below": f"import math\nFACTOR = 2\ndef double(x):\n    return FACTOR * x\n\n{STOPS[stop]}",
        "table": f"{TABLE}\n\n{STOPS[stop]}",
        "lost": f"{STOPS[stop]}\n\n{TABLE}",  # nothing is computed after the stop
        "left": f"hoard = list(range(10))\nhoard.pop()\n{STOPS[stop]}\n"
        "def double(x):\n    return x + x + len(hoard) - 9",
    }
    if stop not in EVERYWHERE and not ALL:
        answers = {place: answers[place] for place in ("above", "left")}
    # Sleeping may last six times as long.
    limits = dataclasses.replace(LIMITS, cell_seconds=0.4) if stop == "sleep" else LIMITS
    found = {name: run(limits, double=answer) for name, answer in answers.items()}
    expected = {name: (GRADED, 4 if name == "lost" else 9) for name in answers}
    assert {name: (graded.result.status, graded.result.score) for name, graded in found.items()} == expected
    assert all("This cell stopped at line" in shown(graded) for graded in found.values())


def test_a_cell_does_not_start_its_processes_twice(run):
    """They would take time again, also from the tests."""
    for start, kept in (
        ("", "did above that line"),
        ("child = subprocess.Popen(['sleep', '999'])\n", "elsewhere"),
    ):
        graded = run(double=f"import subprocess\n{start}other = int('7')\n1 / 0\n{RIGHT['double']}")
        assert graded.result.score == 9 and kept in shown(graded)


@pytest.mark.slow
def test_what_a_cell_defines_can_stop_it_too(run):
    """Then that alone is left out."""
    spinning = "def spin():\n    while True: pass\n\ndef other(x, y=spin()):\n    return 1\n\n"
    graded = run(double=spinning + RIGHT["double"])
    assert graded.result.score == 9 and graded.result.by_clock
    many = "".join(f"class C{number}:\n    while True: pass\n" for number in range(9)) + RIGHT["double"]
    assert run(double=many).result.score == 4


@pytest.mark.slow
def test_cells_never_spend_a_tests_time(run):
    """Their budget is their own: when it is used up, every test runs, with what the cells define."""
    limits = dataclasses.replace(LIMITS, all_cells_seconds=3)
    spin = "\nwhile True: pass"
    slow = {
        "double": RIGHT["double"] + spin,
        "triple": "if True:\n    print('never shown')\n" + RIGHT["triple"] + spin,
    }
    graded = run(limits, **slow)
    assert graded.result.score == 9 and graded.result.status == GRADED and graded.result.by_clock
    assert "used up the 3 seconds" in shown(graded)


@pytest.mark.slow
@pytest.mark.parametrize(
    "left",
    ["threading.Thread(target=spin, daemon=True).start()", "subprocess.Popen([sys.executable, '-c', SPIN])"],
)
def test_what_a_cell_leaves_running_is_on_no_tests_clock(run, left):
    before = (
        "import subprocess, sys, threading, time\nSPIN = 'while True: pass'\ndef spin():\n    while True: pass\n"
        f"{left}\n{left}\n"
    )
    working = (
        "def double(x):\n    end = time.thread_time() + 0.4\n    while time.thread_time() < end: 0\n"
        "    return 2 * x"
    )
    limits = dataclasses.replace(LIMITS, test_seconds=1.5, question_seconds=4)
    assert run(limits, double=before + working).result.score == 9


@pytest.mark.parametrize(
    "line",
    [
        "name = input('Your name? ')",
        "breakpoint()",
        "import sys; sys.exit()",
        "exit()",
        "import os; os._exit(0)",
        "raise KeyboardInterrupt",
        "1 / 0",
        "import urllib.request; urllib.request.urlopen('http://localhost')",
        "!ls",
        "files = !ls",
        "!nvidia-smi",
        "from google.colab import files; list(files.upload())[0]",
        "from google.colab import drive; drive.mount('/content/drive'); open('/content/drive/MyDrive/x')",
        "from google.colab import runtime; runtime.unassign()",
        "import asyncio; await asyncio.sleep(0)",
        "import asyncio; await asyncio.wait_for(asyncio.Event().wait(), 0.01)",
        "import asyncio; asyncio.run(asyncio.sleep(0))",
        "import matplotlib.pyplot as plt; plt.plot([1, 2]); plt.show(block=True)",
    ],
)
def test_what_stands_above_an_answer_costs_nothing(run, line):
    """However it ends: what is defined below it is kept."""
    assert run(double=f"{line}\n{RIGHT['double']}").result.score == 9


@pytest.mark.parametrize(
    "timer",
    [
        "signal.setitimer(signal.ITIMER_REAL, 0.1, 0.1)",
        "signal.setitimer(signal.ITIMER_VIRTUAL, 0.1, 0.1)",
        "threading.Timer(0.1, _thread.interrupt_main).start()",
        "threading.Timer(0.1, signal.setitimer, (signal.ITIMER_REAL, 0.01, 0.01)).start()",
        "faulthandler.dump_traceback_later(0.1, exit=True, file=open('trace', 'w'))",
    ],
)
def test_a_timer_ends_with_its_cell(run, timer):
    """It was for what the student tried there: on Colab, it has gone off before the next cell is run."""
    before = (
        "import faulthandler, os, signal, threading, time, _thread\n"
        "def too_long(*_):\n    raise TimeoutError('too long')\n"
        "for number in (signal.SIGALRM, signal.SIGVTALRM):\n    signal.signal(number, too_long)\n"
    )
    slow = "def double(x):\n    time.sleep(0.2)\n    return x + x"
    graded = run(double=f"{before}{timer}\n{slow}")
    assert (graded.result.score, graded.result.stops) == (9, [])


@pytest.mark.parametrize(("seconds", "gets"), [(1, "passed"), (0, "error")])
def test_a_timer_that_interrupts_a_function_of_the_test_loses_no_reply(servers, seconds, gets):
    """The answer calls the test's function again, with another argument; without time, it raises its own error."""
    test = """# Test: a function of the test's
import time
def slow(x):
    time.sleep(0.2)
    return 2 * x
assert double(slow) == [4, 6]
assert double(slow) == [4, 6]"""
    master = master_of(
        *cells()[1:4], code("double-values", test, **graded("double_values", grade=True, points=2))
    )
    answer = f"""import signal
def too_long(*_):
    raise TimeoutError("too long")
signal.signal(signal.SIGALRM, too_long)
def double(function):
    for seconds in (0.05, {seconds}):
        signal.setitimer(signal.ITIMER_REAL, seconds or 0.05)
        try:
            found = [function(2)]
            signal.setitimer(signal.ITIMER_REAL, 0)
            return [*found, function(3)]
        except TimeoutError:
            if not {seconds}:
                raise"""
    test_result = grade(master, fill(master, {"double": answer}), LIMITS, servers).result.tests[0]
    assert test_result.outcome == gets
    assert gets == "passed" or "TimeoutError: too long" in test_result.message


@pytest.mark.slow
@pytest.mark.parametrize(
    "ending",
    [
        "threading.Timer(1, os._exit, (1,)).start()",
        "subprocess.Popen(['sh', '-c', f'sleep 1; kill -9 {os.getpid()}'])",
        "signal.signal(signal.SIGALRM, signal.SIG_DFL); signal.alarm(1)",
        "import IPython; IPython.Application.instance().kernel.do_shutdown(True)",
        "get_ipython().kernel.do_shutdown(restart=True)",
        "import atexit; atexit.register(print, 'end'); quit()",
    ],
)
def test_what_a_cell_has_end_python_later_costs_no_test(run, ending):
    """A test that it hits is run again, with what the student's cells define alone."""
    before = f"import os, signal, subprocess, threading, time\n{ending}\n"
    late = "def double(x):\n    time.sleep(0.3)\n    return x + x"
    graded = run(double=before + late)
    assert graded.result.score == 9 and graded.result.status == GRADED


@pytest.mark.slow
def test_waiting_for_a_busy_machine_is_not_the_notebooks_time(run):
    limits = dataclasses.replace(LIMITS, all_cells_seconds=2)
    slept = {name: f"import time\ntime.sleep(1.2)\n{code}" for name, code in RIGHT.items() if name != "why"}
    assert run(limits, **slept).result.score == 9


def test_a_setup_cell_shows_its_last_value(servers):
    """What the engine runs after it is no part of the cell."""
    intro, setup, *rest = cells()
    master = master_of(intro, setup | {"source": setup["source"] + "\n6 * 7"}, *rest)
    shown = graded_notebook(grade(master, fill(master, RIGHT), LIMITS, servers)).cells[1].outputs
    assert [output.data["text/plain"] for output in shown] == ["42"]


@pytest.mark.slow
@pytest.mark.parametrize("many", [4, 20])
def test_timing_a_statement_costs_nobody_marks(master, servers, many):
    notebook = json.loads(fill(master, RIGHT))
    timing = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    for number in range(many):
        magic = "%timeit" if number % 2 else "%%timeit\n"
        own = timing | {"id": f"own{number}", "source": f"{magic} sum(range({10 ** (number % 6)}))"}
        notebook["cells"].insert(2 + number, own)
    limits = dataclasses.replace(LIMITS, all_cells_seconds=3)
    graded = grade(master, json.dumps(notebook).encode(), limits, servers)
    assert graded.result.score == 9 and not graded.result.by_clock


def outputs_of(graded, source):
    (cell,) = (cell for cell in graded_notebook(graded).cells if cell.source == source)
    return cell.outputs


def test_random_numbers_are_alike_in_each_test_and_go_on_after_it(run):
    """Whatever ran before, a test sees the same; and what a later cell draws does not depend on the tests."""
    drawing = (
        "import random, numpy as np, torch\n{}seen = []\n"
        "def double(x):\n    seen.append((random.random(), np.random.rand(), torch.rand(1).item()))\n    return x + x"
    )
    later = (
        RIGHT["triple"] + "\nprint(len(set(seen)))\nprint(random.random(), np.random.rand(), torch.rand(1))"
    )
    printed = {}
    for seed in ("", "random.seed(5)\ntorch.manual_seed(5)\nnp.random.seed(5)\n"):
        graded = run(double=drawing.format(seed), triple=later)
        assert graded.result.score == 9
        printed[seed] = "".join(output.text for output in outputs_of(graded, later)).splitlines()
    plain, seeded = printed.values()
    assert plain[0] == seeded[0] == "1" and plain[1] != seeded[1]
    assert seeded[1].startswith(str(random.Random(5).random()))


def test_a_figure_that_a_test_left_open_is_not_the_next_cells(run):
    drawing = "import matplotlib.pyplot as plt\ndef double(x):\n    plt.plot([1, 2])\n    return x + x"
    graded = run(double=drawing)
    assert graded.result.score == 9 and outputs_of(graded, RIGHT["triple"]) == []


def test_a_later_cell_cannot_undo_or_do_an_earlier_question(run):
    later = RIGHT["triple"] + "\ndef double(x):\n    return 'redefined'"
    assert run(triple=later).result.score == 9
    wrong_first = run(double="def double(x):\n    return 0", triple=RIGHT["triple"] + "\n" + RIGHT["double"])
    assert outcomes(wrong_first)["double_values"] == "failed"


@pytest.mark.parametrize(
    "cheat",
    [
        "class Yes:\n    def __eq__(self, other): return True\n    __hash__ = None\ndef double(x): return Yes()",
        "import builtins\nbuiltins.AssertionError = type('Quiet', (BaseException,), {})\ndouble = lambda x: None",
        "import coursekit.engine.kernel.agent as agent\nagent.Agent._do = lambda *a: 1\ndouble = lambda x: None",
    ],
)
def test_cheats_earn_nothing_for_the_question(run, cheat):
    assert [test.score for test in run(double=cheat).result.tests if test.question == "double"] == [0, 0]


def test_a_cell_that_is_not_repeated_shows_what_was_handed_in(master, servers):
    notebook = json.loads(fill(master, RIGHT))
    picture = next(cell for cell in notebook["cells"] if cell["id"] == "picture")
    picture["source"] = "edited"
    image = {"image/png": ["aGV\n", "s\n"], "text/html": "<script>"}
    picture["outputs"] = [
        {"output_type": "stream", "name": "stdout", "text": ["one\n", "two\n"]},
        {"output_type": "display_data", "data": image, "metadata": {}},
        {"output_type": "javascript"},
        "junk",
    ]
    graded = grade(master, json.dumps(notebook).encode(), LIMITS, servers)
    assert (graded.result.status, graded.result.score) == (GRADED, 9)
    text, shown = next(cell for cell in graded_notebook(graded).cells if cell.id == "picture").outputs
    assert text.text == "one\ntwo\n" and dict(shown.data) == {"image/png": "aGVs"}


@pytest.mark.slow
def test_equal_runs_give_equal_bytes(run):
    answers = {
        "double": "def double(x):\n    return {object(): {'a', 'b', 'c'}}",
        "triple": "triple = object()",
    }
    one, other = (dataclasses.replace(run(**answers).result, seconds=0.0) for _ in range(2))
    assert one.calibration == other.calibration, "once in a run"
    assert one.to_json() == other.to_json()


def test_a_repair_shows_in_the_status(master, servers):
    notebook = json.loads(fill(master, RIGHT))
    for cell in notebook["cells"]:
        cell["metadata"] = {}
    graded = grade(master, json.dumps(notebook).encode(), LIMITS, servers)
    assert (graded.result.status, graded.result.score) == (REPAIRED, 9)


def test_every_test_of_a_question_runs_whatever_the_others_cost(servers):
    tests = [
        code(f"d{n}", f"assert double({n}) == {2 * n}", **graded(f"d{n}", grade=True, points=1))
        for n in range(6)
    ]
    master = master_of(*cells()[:4], *tests, *triple_cells())
    deadly = "import os\ndef double(x):\n    x in (1, 3, 5) or os._exit(1)\n    return 2 * x"
    found = outcomes(grade(master, fill(master, RIGHT | {"double": deadly}), LIMITS, servers))
    assert [found[f"d{n}"] for n in range(6)] == ["stopped", "passed"] * 3
    assert found["triple_values"] == "passed"
