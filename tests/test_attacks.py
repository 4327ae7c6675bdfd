"""Classes of attackers, each graded once: nobody gets a point that the code did not earn, and nothing else happens.

The first week's class attacks the grader, the other weeks' the tests of their content.
"""

import csv
import io
import json
import re
import sqlite3
from pathlib import Path

import pytest
from attacks.harness import PROBES, WEEK, command, outcome, read_attacks, run_class, run_week
from jupyter_lab import TOKEN, served

from coursekit.course.config import open_course

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1500)]

ATTACKS = read_attacks()
ON_CONTENT = [
    attack
    for week in open_course(Path(__file__).resolve().parent.parent).weeks
    if week.name != WEEK
    for attack in read_attacks(week.name)
]
ON_WEEKS = list(dict.fromkeys(attack.week for attack in ON_CONTENT))


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return run_class(tmp_path_factory.mktemp("attacks"), ATTACKS)


@pytest.fixture(scope="module")
def week_run(tmp_path_factory):
    """The class of a week, graded when it is first asked for."""
    runs = {}

    def find(week):
        if week not in runs:
            attacks = [attack for attack in ON_CONTENT if attack.week == week]
            runs[week] = run_week(tmp_path_factory.mktemp(week), week, attacks)
        return runs[week]

    return find


def assert_it_got_there(run, attack, found):
    """That the attack did what it is about: by its own mark, or by what is seen of its notebook in the result."""
    mark = run.marks.get(attack)
    shows = attack.says("SHOWS")
    assert mark or shows, "the attack neither calls reached() nor says what it SHOWS"
    assert mark is None or mark in run.reached, f"the attack never reached its point: {found.status}"
    if shows:
        notes = ("repairs", "flags", "stops")
        seen = {name: {note.kind for note in getattr(found, name)} for name in notes}
        wanted = dict.fromkeys(notes, set()) | shows
        assert {"status": found.status} | seen == wanted, "the attack never reached its point"


def assert_it_earned_nothing(run, attack, found):
    """But of probes that it forged at most their share."""
    passed = [test.id for test in found.tests if test.outcome == "passed"]
    for question in found.questions:
        most = question.max_score / PROBES if attack.forges else 0
        assert (question.score or 0) <= most, f"{question.id}; passed: {passed}"


def without_tests(data):
    """A graded notebook without the source of its tests."""
    notebook = json.loads(data)
    for cell in notebook["cells"]:
        grader = cell["metadata"].get("nbgrader", {})
        if grader.get("grade") and not grader.get("solution"):
            cell["source"] = ""
    return json.dumps(notebook).encode()


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.student)
def test_attack(run, attack):
    student = run.ids[attack]
    if attack.says("REFUSED"):
        assert run.answer["failed"][student] and student not in run.answer["graded"]
        return
    found = run.result(student)
    assert found is not None, run.answer.get("failed", {}).get(student, run.output[-2000:])
    assert_it_got_there(run, attack, found)
    assert_it_earned_nothing(run, attack, found)
    assert found.score == sum(test.score for test in found.tests)
    most = sum(test.points for test in found.tests)
    assert found.max_score == most == run.course.master(run.week).test_points
    assert [flag for flag in found.flags if flag.kind == "engine_fault"] == []
    page = run.course.feedback(student, run.week) / f"{run.week.notebook}.html"
    written = outcome(run.course, student) | {"page": page.read_bytes()}
    for path, data in written.items():
        # The TA's copy has the tests, hidden ones too; nothing else may quote them.
        text = without_tests(data) if path.endswith(".ipynb") else data
        assert [token for token in run.secrets if token.encode() in text] == [], path


@pytest.mark.parametrize("attack", ON_CONTENT, ids=lambda attack: f"{attack.week}-{attack.student}")
def test_attack_on_the_content(week_run, attack):
    run = week_run(attack.week)
    found = run.result(attack.student)
    assert found is not None, run.output[-2000:]
    assert_it_got_there(run, attack, found)
    assert_it_earned_nothing(run, attack, found)
    assert [flag for flag in found.flags if flag.kind == "engine_fault"] == []


@pytest.mark.parametrize("week", ON_WEEKS)
def test_class_of_a_week(week_run, week, announce):
    """Whose neighbours get what they get without attackers: everything, or nothing."""
    run = week_run(week)
    assert run.code == 0, run.output[-2000:]
    full = run.result("a-neighbour")
    assert full.score == full.max_score, [(test.id, test.message) for test in full.tests if test.message]
    assert run.result("z-neighbour").score == run.result("base").score == 0
    announce(count([attack for attack in ON_CONTENT if attack.week == week], run))


def count(attacks, run):
    """A line for the week: how many attacks there are, and what they came to."""
    graded = {attack: run.result(run.ids[attack]) for attack in attacks if not attack.says("REFUSED")}
    forged = sum(result.score for attack, result in graded.items() if attack.forges)
    undeserved = sum(result.score for attack, result in graded.items() if not attack.forges)
    reached = len(run.reached & {*run.marks.values()})
    return (
        f"attacks on {run.week.name}: {len(attacks)} in {len({attack.group for attack in attacks})} groups, {reached} "
        f"marks of having reached the point, {undeserved:g} undeserved points, {forged:g} for forged values within a "
        f"probe's share, {len(run.traces)} traces, {run.seconds:.0f} s"
    )


def test_class_is_finished(run):
    refused = {run.ids[attack] for attack in ATTACKS if attack.says("REFUSED")}
    everyone = {*run.ids.values(), *run.neighbours}
    assert run.code == (1 if refused else 0), run.output[-2000:]
    assert set(run.answer["graded"]) == everyone - refused
    assert set(run.answer["failed"]) == refused
    assert run.answer["unchanged"] == []


def test_neighbours_are_as_without_attackers(run):
    scores = {}
    for student in run.neighbours:
        assert len(run.alone[student]) == 2
        assert outcome(run.course, student) == run.alone[student], student
        scores[student] = run.result(student).score
    most = run.course.master(run.week).test_points
    assert scores["a-neighbour"] == most > scores["n-neighbour"] > scores["z-neighbour"] == 0


def test_gradebook_has_the_marks_of_the_results(run):
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{run.course.root / 'gradebook.db'}", "transformer") as book:
        marks = {item.student.id: item.score for item in book.assignment_submissions(run.week.name)}
        most = sum(question.max_score for question in run.course.master(run.week).questions)
        assert book.find_assignment(run.week.name).max_score == most
    assert marks == {student: run.result(student).score for student in run.answer["graded"]}


def test_nothing_else_was_touched(run):
    assert run.traces == []


def test_what_is_attacked_is_worth_nothing(run, announce):
    """An attacker who does nothing gets nothing, so every point above would be one that an attack made."""
    assert run.result("base").score == 0
    announce(count(ATTACKS, run))


# What people see of it.

FORGED = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")
ACTIVE = (
    "script, iframe, object, embed, form, base, link, svg, math, video, audio, style ~ style,"
    " meta[http-equiv=refresh], a[href]:not([href^='#']), img:not([src^='data:image/png;base64,'])"
)


class Watched:
    """A page in a browser, and everything that it did by itself."""

    def __init__(self, browser, allowed=()):
        self.did = []
        self._context = browser.new_context()
        self._context.route("**/*", self._request)
        self._allowed = allowed
        self.page = self._context.new_page()
        self.page.on("dialog", lambda dialog: (self.did.append(f"dialog {dialog.message}"), dialog.dismiss()))
        self.page.on("popup", lambda page: self.did.append(f"popup {page.url}"))
        self.page.on("download", lambda download: self.did.append(f"download {download.url}"))

    def _request(self, route):
        if route.request.url.startswith(self._allowed):
            route.continue_()
        else:
            self.did.append(f"request {route.request.url[:100]}")
            route.abort()

    def close(self):
        self._context.close()


@pytest.fixture
def browser(chromium):
    watched = []

    def watch(*allowed):
        watched.append(Watched(chromium, ("data:", *allowed)))
        return watched[-1]

    yield watch
    for item in watched:
        item.close()


def test_pages_run_nothing(run, browser):
    """Without the page's own policy too, which is a second lock."""
    paths = sorted((run.course.root / "feedback").glob(f"*/{run.week.name}/*.html"))
    assert len(paths) == len(run.answer["graded"])
    watched = browser("file:")
    bare = run.course.root.parent / "bare.html"
    for path in paths:
        text = path.read_text(encoding="utf-8")
        without = re.sub('<meta http-equiv="Content-Security-Policy"[^>]*>', "", text)
        assert len(without) < len(text)
        bare.write_text(without, encoding="utf-8")
        for address in (path, bare):
            watched.page.goto(address.as_uri(), wait_until="load")
            watched.page.evaluate("document.querySelectorAll('details').forEach(item => item.open = true)")
            found = watched.page.evaluate(
                "active => [...document.querySelectorAll(active)].map(item => item.outerHTML.slice(0, 200)).concat("
                "[...document.querySelectorAll('*')].flatMap(item => [...item.attributes]).map(item => item.name)"
                ".filter(name => name.startsWith('on')))",
                ACTIVE,
            )
            assert found == [], path
        assert watched.page.evaluate("[window.attacked, document.querySelectorAll('h1').length]") == [None, 1]
        assert not FORGED.search(text), path
    assert watched.did == []


def test_the_formgrader_runs_nothing(run, browser, tmp_path):
    """The graded notebook as a TA sees it, on a server that can run code."""
    with sqlite3.connect(run.course.root / "gradebook.db") as book:
        keys = dict(
            book.execute(
                "select student_id, s.id from submitted_notebook s"
                " join submitted_assignment a on a.id = s.assignment_id"
            )
        )
    students = [run.ids[attack] for attack in ATTACKS if attack.group == "page"]
    students = [student for student in students if student in run.answer["graded"]]
    assert len(students) > 5
    master = run.course.master(run.week)
    inputs = sum(len(question.tests) or question.written for question in master.questions)
    errors = []
    with served(run.course.root, tmp_path) as address:
        watched = browser(address)
        watched.page.on("pageerror", lambda error: errors.append(str(error)))
        watched.page.goto(f"{address}/formgrader/manage_assignments?token={TOKEN}")
        watched.page.get_by_role("link", name=run.week.name, exact=True).wait_for()
        for view in (f"manage_submissions/{run.week.name}", "manage_students"):
            watched.page.goto(f"{address}/formgrader/{view}")
            watched.page.locator("td", has_text="-1+1@SUM.page").first.wait_for(state="attached")
        for student in students:
            watched.page.goto(f"{address}/formgrader/submissions/{keys[student]}/", timeout=60_000)
            watched.page.locator("#softmax_rows").wait_for()
            assert watched.page.locator("input.score").count() == inputs, student
            watched.page.wait_for_timeout(200)  # what works would have worked by now
            assert watched.page.evaluate("window.attacked") is None, student
        assert watched.page.evaluate("window.attacked") is None
    # The formgrader's own: MathJax and its like come from the network, which this page does not have.
    own = tuple(
        f"request https://{host}" for host in ("cdnjs.cloudflare.com/", "cdn.jsdelivr.net/", "fonts.")
    )
    assert [done for done in watched.did if not done.startswith(own)] == []
    assert set(errors) <= {"MathJax is not defined"}


def test_terminal_and_spreadsheet_are_not_steered(run):
    graded, failed = run.answer["graded"], run.answer["failed"]
    # Results that depend on the clock are made anew in each run.
    kept = [student for student in graded if not run.result(student).by_clock]
    asked = [f"--student={student}" for student in (*kept, *failed)]
    again = command(run.course, None, ["grade", run.week.name, *asked])
    export = command(run.course, None, ["export", run.week.name])
    assert again.returncode == run.code and export.returncode == 0, again.stderr[-2000:] + export.stderr
    for text in (again.stdout, again.stderr, export.stderr, run.output):
        assert not FORGED.search(text), text[-2000:]
    assert f"0 graded, {len(kept)} unchanged" in again.stdout
    # CSV: nothing that a spreadsheet would run, a row each.
    header, *rows = csv.reader(io.StringIO(export.stdout))
    assert {row[0].lstrip("'") for row in rows} == set(run.answer["graded"])
    assert [cell for row in rows for cell in row if cell.startswith(("=", "+", "-", "@", "\t", "\r"))] == []
    assert {len(row) for row in rows} == {len(header)}
