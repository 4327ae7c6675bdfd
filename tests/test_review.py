"""The TA's pages: what needs a person is on top, nothing that a student wrote runs, and the numbers are right."""

import csv
import html
import json
import re
import time
from dataclasses import replace
from statistics import correlation, mean

import pytest
from axe_playwright_python.sync_playwright import Axe
from command import course_here
from quick import first
from small_course import DOUBLE, ROOT, cells, hand_in, make_course, result, triple_cells, write_answer

from coursekit.course.config import open_course
from coursekit.course.late import Lateness
from coursekit.course.roster import Roster
from coursekit.deliver.review import repair_diffs as diffs
from coursekit.deliver.review import statistics
from coursekit.deliver.review.groups import failure_groups
from coursekit.deliver.review.pages import file_name, write_reports
from coursekit.deliver.review.similarity import similar_answers
from coursekit.deliver.review.week_data import Student, WeekData, load_week, pseudonyms, read_salt, reasons
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import fill
from coursekit.engine.shared.reasons import Flag, TestReason
from coursekit.engine.shared.result import UNREADABLE, Comparison, Note, Result
from coursekit.gradebook.marks import Marks
from coursekit.gradebook.record import record
from coursekit.grading.diagnosis import Diagnosis

HOSTILE = (
    '</script></pre><script>window.attacked=1</script><img src=x onerror="window.attacked=2">'
    "<a href='javascript:window.attacked=3'>x</a>\x1b[31m\u202e"
)
PICTURE = {"reason": "other_format", "format": "a picture"}
NAME = "s03<img src=x onerror=window.attacked=4>"


def store(course, some: Result, answers=()):
    """A result in its place, with a graded notebook that has these answers."""
    week = course.weeks[0]
    folder = course.autograded(some.student, week)
    folder.mkdir(parents=True)
    (folder / "result.json").write_text(some.to_json(), encoding="utf-8")
    (folder / f"{week.notebook}.ipynb").write_bytes(fill(course.master(week), dict(answers)))


@pytest.fixture
def small(tmp_path):
    course, week = make_course(tmp_path)
    return course, week


def student(name, one=None, marks=None, **known):
    return Student(name, name, one or result(name), marks, **known)


def gathered(small, some):
    """A week of these students, as `load_week` gives it."""
    course, week = small
    return WeekData(week, course.master(week), some, Roster(), "")


def page(course, name="index"):
    return (course.root / "reports" / course.weeks[0].name / f"{name}.html").read_text(encoding="utf-8")


def section(text, start, end):
    return re.sub(r"<[^>]*>", " ", text[text.index(f'id="{start}"') : text.index(f'id="{end}"')])


def test_what_needs_a_person_is_on_top_the_most_urgent_first(small):
    course, week = small
    (course.root / "roster.csv").write_text("id\ns01\ns02\ns04\ns05\ns06\nabsent\n")
    some = [
        result("s01"),
        result("s02", flags=[Note(Flag.FROM_SCRATCH, cell="double", values={"uses": "`torch.ops`"})]),
        result("s04", status="stopped"),
        result("s05", status=UNREADABLE, flags=[Note(Flag.UNREADABLE, values=PICTURE)]),
        result("s06", written=0.0),
        replace(result("stranger"), repairs=[Note("salvaged", values={"count": 3})]),
    ]
    for one in some:
        store(course, one)
    record(course, week, some)
    damaged = course.autograded("s07", week) / "result.json"
    damaged.parent.mkdir(parents=True)
    damaged.write_text("{")
    write_reports(course, [week], named=True)
    look = section(page(course), "look", "marking")
    places = [look.index(name) for name in ("s07", "s05", "s04", "s02", "stranger", "absent")]
    assert places == sorted(places) and "s06" not in look
    assert "s01" not in look, "who only waits for a mark stands under Marking"
    for words in (
        "The file is a picture, not a notebook.",
        "Uses `torch.ops` in an answer",
        "3 cells in it could be read.",
        "missing",
    ):
        assert words in look
    assert "not in the roster" in look
    marking = section(page(course), "marking", "scores")
    assert "Why a sum?: 1 of 6 marked" in marking and "s01" in marking


@pytest.mark.parametrize("named", first(1, [True, False]))
def test_lines_of_the_roster_that_could_not_be_read_are_on_top_and_give_nobody_away(small, named):
    course, week = small
    (course.root / "roster.csv").write_text("id,name\ns01,Ann\n,Rick Roe\ns03,Bo,Lee\ns04,Cy\n")
    store(course, result("s01"))
    record(course, week, [result("s01")])
    write_reports(course, [week], named)
    overview = (course.root / "reports" / "index.html").read_text(encoding="utf-8")
    for text, after in ((page(course), "look"), (overview, "weeks")):
        assert "Lines 3, 4 of" in section(text, "roster", after)
        assert "Roe" not in text
    (course.root / "roster.csv").write_text("id,name\ns01,Ann\n")
    write_reports(course, [week], named)
    assert 'id="roster"' not in page(course)


def test_results_of_another_version_are_a_sentence(small):
    """As after an upgrade of the tool: no result can be read until the week is graded again."""
    course, week = small
    store(course, result("s01"))
    record(course, week, [result("s01")])
    path = course.autograded("s01", week) / "result.json"
    path.write_text(re.sub(r'"schema_version": \d+|"schema": \d+', '"schema": 1', path.read_text()))
    assert Result.read(path) is None
    with pytest.raises(CourseError, match="Run `course grade week1_attention` again"):
        write_reports(course, [week])


def test_marks_of_people_count(small):
    marked = Marks("a", "graded", 9.0, 9.0, {"double": 5.0, "why": 4.0}, False, False, late=Lateness(1, 2.0))
    waits = Marks("b", "graded", 2.0, 9.0, {"double": 2.0, "why": None}, True, False)
    some = [student("a", marks=marked), student("b", marks=waits)]
    assert [one.score for one in some] == [7.0, 2.0]
    double, why = statistics.question_facts(gathered(small, some))
    assert (double.marked, double.full, double.mean) == (2, 0.5, 0.7)
    assert (why.marked, why.full, why.mean, why.item_rest) == (1, 1.0, 1.0, None)
    tenths = statistics.score_distribution(gathered(small, some)).tenths
    assert tenths == (0, 0, 1, 0, 0, 0, 0, 1, 0, 0)
    assert [reason.what for reason in reasons(some[1], Roster())] == ["to mark"]


def test_how_questions_separate(small):
    points = [(0, 0), (0, 1), (2, 0), (2, 3), (5, 2), (5, 4), (5, 3), (0, 4), (2, 1)]
    some = []
    for number, (one, other) in enumerate(points):
        scores = {"double": one, "why": other}
        some.append(student(str(number), marks=Marks("", "", one + other, 9.0, scores, False, False)))
    double, why = statistics.question_facts(gathered(small, some))
    assert double.item_rest == pytest.approx(correlation(*zip(*points, strict=True))) == why.item_rest
    ranked = [one for one, other in sorted(points, key=lambda pair: pair[1])]
    assert double.discrimination == pytest.approx((mean(ranked[-3:]) - mean(ranked[:3])) / 5)
    few = statistics.question_facts(gathered(small, some[:7]))
    assert few[0].item_rest is None and few[0].discrimination is None


def test_the_hardest_test_comes_first_with_what_it_says(small):
    some = []
    for number, scores in enumerate([(2.0, 0.0), (2.0, 0.0), (0.0, 3.0), (2.0, 3.0)]):
        one = result(f"s{number}", scores)
        for test in one.tests:
            if test.outcome != "passed":
                test.message = f"{test.id} is wrong\nmore"
        some.append(student(one.student, one))
    first, second = statistics.test_facts(gathered(small, some))
    assert (first.test.id, first.passed, first.of, first.test.hidden) == ("double_hidden", 2, 4, True)
    assert (first.message, first.times) == ("double_hidden is wrong", 2)
    assert (second.test.id, second.passed) == ("double_values", 3)


def test_failures_are_grouped_by_what_went_wrong(small):
    some = []
    for number, (message, tells) in enumerate(
        [
            ("expected 4, got 5.25", ()),
            ("expected 4, got -3e-05", ()),
            (TestReason.NOT_ANSWERED, ()),
            ("expected 4, got 6", ("You square.",)),
            ("something else", ("You square.",)),
            ("expected 4, got 7", ()),
        ]
    ):
        one = result(f"s{number}", (0.0, 3.0))
        one.tests[0].message = message
        one.tests[0].reason = message if message is TestReason.NOT_ANSWERED else TestReason.CHECK_FAILED
        known = {"double": Diagnosis(tells, ("double_square",))} if tells else {}
        some.append(student(one.student, one, diagnoses=known))
    found = failure_groups(gathered(small, some))
    assert [(group.known, group.what, [one.id for one in group.students]) for group in found] == [
        (False, "double_values: expected …, got …", ["s0", "s1", "s5"]),
        (True, "You square.", ["s3", "s4"]),
        (False, "Not answered.", ["s2"]),
    ]


COPIED = """def double(x):
    helper = [value for value in (x, x) if value is not None or True]
    total = 0
    for index, value in enumerate(reversed(helper)):
        total = total + value * (1 if index < 100 else 2)
    if isinstance(total, str):
        raise ValueError("no words")
    return total
"""
RENAMED = COPIED.replace("helper", "werte").replace("total", "summe").replace("index", "i") + "    # mine\n"
ORDINARY = "def double(x):\n    if x is None:\n        return None\n    y = x\n    y += x\n    return y\n"


@pytest.mark.slow
def test_answers_that_share_what_is_rare_are_alike_and_ordinary_ones_are_not(small):
    course, week = small
    answers = [COPIED, RENAMED, *[ORDINARY] * 8, "", course.master(week).solutions["double"]]
    some = [student(f"s{place:02}", answers={"double": answer}) for place, answer in enumerate(answers)]
    (pair,), left_out = similar_answers(gathered(small, some))
    assert left_out == []
    assert (pair.one.id, pair.other.id, pair.question) == ("s00", "s01", "double") and pair.share > 0.9


@pytest.mark.slow
def test_two_who_wrote_what_the_course_itself_has_are_not_alike():
    course = open_course(ROOT)
    week = course.weeks[0]
    some = [student(name, answers=course.master(week).solutions) for name in ("s0", "s1")]
    assert similar_answers(gathered((course, week), some)) == ([], [])
    for one in some:
        one.answers["softmax"] = COPIED
    pairs, left_out = similar_answers(gathered((course, week), some))
    assert ([pair.question for pair in pairs], left_out) == (["softmax"], [])


def test_students_have_pseudonyms_and_a_list_says_whose(small):
    course, week = small
    names = ["ann.lee", "bo", "../../etc", "ä ö", ".hidden"]
    some = [result(name) for name in names[:2]]
    for one in some:
        store(course, one)
    record(course, week, some)
    write_reports(course, [week])
    everything = "".join(path.read_text() for path in (course.root / "reports").rglob("*.html"))
    assert "ann.lee" not in everything
    with open(course.root / "reports" / "names.csv", newline="", encoding="utf-8") as file:
        listed = {row["student"]: row["pseudonym"] for row in csv.DictReader(file)}
    assert listed == pseudonyms(names[:2], read_salt(course)) and listed["bo"] in everything
    write_reports(course, [week], named=True)
    pages = {path.name for path in (course.root / "reports" / week.name / "students").iterdir()}
    assert pages == {"ann.lee.html", "bo.html"}, "no page by another name is left"
    assert not (course.root / "reports" / "names.csv").exists()
    files = [file_name(student(name)) for name in names]
    assert len(set(files)) == 5 and not any("/" in name or name.startswith(".") for name in files)


@pytest.mark.usefixtures("warm")
def test_hidden_tests_causes_and_traces_are_there_for_staff(small):
    course, _ = small
    write_answer(course, "right/double_sum", "def double(x):\n    return x + x\n")
    write_answer(course, "wrong/double_square", "def double(x):\n    return x * x\n", fails="double_hidden")
    hand_in(course, "s01", {"double": "def double(number):\n    return number**2", "why": "So."})
    assert course_here(course.root, "grade").returncode == 0
    assert course_here(course.root, "review", "--names").returncode == 0
    text = page(course, "students/s01")
    for words in ("double_square", "You square.", "number**2", "assert double(-3) == -6", "\n9</pre>", "So."):
        assert words in text, words
    assert "You square." in section(page(course), "failures", "alike")


def handed_in(course, student, change, answers=None):
    """A notebook with these answers, changed before it was handed in."""
    week = course.weeks[0]
    notebook = json.loads(fill(course.master(week), {"double": ORDINARY, "why": "So."} | (answers or {})))
    change(notebook["cells"])
    path = course.submitted(student, week) / "attention.ipynb"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(notebook))
    return path


def moved(cells):
    """The answer stands in a cell of its own at the end, and its own cell is the stub again."""
    answer = next(cell for cell in cells if cell["id"] == "double")
    source = answer["source"] + f"# {HOSTILE}"
    cells.append({"cell_type": "code", "metadata": {}, "source": source, "outputs": []})
    answer["source"] = re.sub(r"    ### BEGIN.*### END SOLUTION\n", "", DOUBLE, flags=re.DOTALL)
    given = next(cell for cell in cells if cell["id"] == "double-values")
    given["source"] = "assert True"


@pytest.mark.slow
@pytest.mark.usefixtures("warm")
def test_what_repair_changed_is_a_diff_for_staff(chromium, small):
    course, week = small
    path = handed_in(course, "s01", moved)
    handed_in(course, "s02", lambda cells: None)
    assert course_here(course.root, "grade").returncode == 0
    write_reports(course, [week], named=True)
    text = page(course, "students/s01")
    diff = text[text.index('class="code diff"') : text.index("</details>")]
    shown = html.unescape(re.sub(r"<[^>]*>", "", diff))
    assert "@ a cell of their own\n" in shown
    assert "- assert True" in shown and "+ assert double(2) == 4" in shown
    assert "-     y += x" in shown and "+     y += x" in shown
    assert "double(-3)" not in shown, "a reader has no hidden test"
    assert "against what was graded" not in page(course, "students/s02")
    tab = chromium.new_page(viewport={"width": 390, "height": 900})
    tab.goto((course.root / "reports" / week.name / "students" / "s01.html").as_uri())
    for summary in tab.locator("summary").all():
        summary.click()
    assert tab.evaluate("window.attacked") is None and "onerror" in tab.locator(".diff").inner_text()
    assert tab.evaluate("document.documentElement.scrollWidth") <= 390
    assert [found["id"] for found in Axe().run(tab).response["violations"]] == []
    tab.close()
    path.write_text(path.read_text() + " ")  # what is there now was never graded
    write_reports(course, [week], named=True)
    assert 'class="code diff"' not in page(course, "students/s01")
    assert "it has changed since" in page(course, "students/s01")


@pytest.mark.usefixtures("warm")
def test_without_a_sandbox_nothing_that_was_handed_in_is_read(small, monkeypatch):
    course, week = small
    handed_in(course, "s01", moved)
    assert course_here(course.root, "grade").returncode == 0
    monkeypatch.setattr(diffs.sandbox, "missing", lambda: ["There is no Landlock."])
    monkeypatch.setattr(diffs, "read_submission", lambda *_: pytest.fail("it was opened"))
    _, gaps = write_reports(course, [week], named=True)
    (sentence,) = gaps
    assert sentence.endswith("not shown: submissions are read only in the sandbox. There is no Landlock.")


@pytest.mark.slow
@pytest.mark.usefixtures("warm")
def test_what_the_sandbox_ended_is_listed(small):
    course, week = small
    answers = {"double": "def double(x):\n    return x + x\n\n\nimport os\nos._exit(1)"}
    handed_in(course, "s01", lambda cells: None, answers)
    assert course_here(course.root, "grade").returncode == 0
    result = Result.read(course.autograded("s01", week) / "result.json")
    assert [(note.kind, note.cell) for note in result.stops] == [("exited", "double")]
    assert result.score == result.max_score and result.status == "graded"
    write_reports(course, [week], named=True)
    shown = " ".join(section(page(course, "students/s01"), "score", "question-1").split())
    ended = (
        "What the sandbox ended exited (double): This cell was stopped: the kernel died while it was running."
    )
    assert ended in shown


def test_nothing_graded_yet(small):
    course, week = small
    with pytest.raises(CourseError, match="course grade week1_attention"):
        load_week(course, week, named=True)
    done = course_here(course.root, "review")
    assert done.returncode == 2 and "course grade week1_attention" in done.stderr


def test_without_copydetect_the_pages_say_so(small, monkeypatch):
    course, week = small
    store(course, result("s01"))
    record(course, week, [result("s01")])
    monkeypatch.setitem(__import__("sys").modules, "copydetect", None)
    _, gaps = write_reports(course, [week])
    assert gaps == ["Answers are not compared: `pip install 'coursekit[review]'` installs what that needs."]


@pytest.mark.slow
def test_an_answer_that_takes_too_long_is_left_out_and_named(small):
    """Lines of blanks keep pygments busy for minutes; the others are compared."""
    course, week = small
    some = [result(name) for name in ("s01", "s02", "s03")]
    for one, answer in zip(some, (COPIED, "x = 1" + " \n" * 40_000 + "y", COPIED), strict=True):
        store(course, one, {"double": answer})
    record(course, week, some)
    began = time.monotonic()
    _, gaps = write_reports(course, [week], named=True)
    assert time.monotonic() - began < 60
    assert gaps == ["week1_attention: not compared with the others, since that takes too long: s02."]
    shown = " ".join(section(page(course), "alike", "everybody").split())
    assert "Not compared, because the text takes too long to be taken apart: s02 ." in shown
    assert "s01 and s03" in shown


@pytest.fixture
def hostile(tmp_path):
    """A week in which everything that a student controls attacks the page."""
    course, week = make_course(tmp_path, [*cells()[:6], *triple_cells(), *cells()[6:]])
    master = course.master(week)
    some = []
    for number, name in enumerate((NAME, "s01", "s02")):
        flags = [Note("engine_fault", cell=HOSTILE, values={"error": HOSTILE}), Note(HOSTILE)]
        one = result(name, (0.0, 0.0), flags=flags)
        one.repairs[:] = [Note("another_week", cell=HOSTILE, values={"title": HOSTILE})]
        one.stops[:] = [Note(HOSTILE, cell=HOSTILE)]
        one.tests.append(replace(one.tests[0], id="triple_values", question="triple"))
        for test in one.tests:
            test.message, test.trace, test.outcome = HOSTILE, HOSTILE, "error"
            table = [[HOSTILE] * 6] * 12
            test.comparison = Comparison(
                *[HOSTILE] * 2, 72, 72, HOSTILE, [0, 0], [HOSTILE] * 2, table, table, [[True] * 6] * 12
            )
        one.questions[:] = [
            replace(one.questions[0], id=question.id, title=question.title, max_score=question.max_score)
            for question in master.questions
        ]
        one.receipts.update({HOSTILE: "0" * 12})
        store(course, one, {"double": COPIED + f"# {HOSTILE!r} {number}", "triple": "x = 1", "why": HOSTILE})
        some.append(one)
    record(course, week, some)
    (course.root / "roster.csv").write_text(
        f'id\ns01\n"{HOSTILE[:40].replace(chr(34), "")}"\n', encoding="utf-8"
    )
    earlier = course.root / "submitted" / "s01" / ".earlier" / week.name
    earlier.mkdir(parents=True)
    (earlier / "<script>window.attacked=5<").write_text("")
    return course


@pytest.mark.slow
@pytest.mark.parametrize(("width", "scheme"), first(1, [(390, "dark"), (1280, "light")]))
def test_in_a_browser(chromium, hostile, width, scheme):
    """Nothing of a student's runs, nothing is fetched, everything can be read; tables sort and filter."""
    write_reports(hostile, list(hostile.weeks), named=True)
    reports = hostile.root / "reports"
    context = chromium.new_context(viewport={"width": width, "height": 900}, color_scheme=scheme)
    tab = context.new_page()
    requests, complaints, dialogs = [], [], []
    tab.on("request", lambda request: requests.append(request.url))
    tab.on("console", lambda message: complaints.append(message.text))
    tab.on("dialog", lambda dialog: (dialogs.append(1), dialog.dismiss()))
    pages = [*reports.glob("*.html"), *reports.glob("*/*.html"), *reports.glob("*/*/*.html")]
    assert len(pages) == 5
    for path in pages:
        tab.goto(path.as_uri())
        for summary in tab.locator("summary").all():
            summary.click()
        tab.wait_for_timeout(100)
        assert tab.evaluate("window.attacked") is None
        assert tab.evaluate("document.documentElement.scrollWidth") <= width
        found = [violation["id"] for violation in Axe().run(tab).response["violations"]]
        assert found == [], (path.name, found)
    assert complaints == dialogs == [] and all(url.startswith("file:") for url in requests)
    assert len(requests) == len(pages), "each page is one file"

    tab.goto((reports / hostile.weeks[0].name / "index.html").as_uri())
    table = tab.locator("section[aria-labelledby=everybody] table")
    names = lambda: table.locator("tbody tr:visible th").all_inner_texts()  # noqa: E731
    table.get_by_role("button", name="Student").press("Enter")
    ascending = names()
    table.get_by_role("button", name="Student").press("Enter")
    assert len(ascending) == 3 and names() == ascending[::-1]
    assert table.locator("th[aria-sort=descending]").inner_text().startswith("Student")
    tab.get_by_role("searchbox").last.fill("s02")
    assert names() == ["s02"]
    context.close()


@pytest.mark.slow
def test_everything_is_there_without_the_script(chromium, hostile):
    write_reports(hostile, list(hostile.weeks), named=True)
    context = chromium.new_context(java_script_enabled=False)
    tab = context.new_page()
    tab.goto((hostile.root / "reports" / hostile.weeks[0].name / "index.html").as_uri())
    rows = tab.locator("section[aria-labelledby=everybody] tbody tr")
    assert rows.count() == 3 and all(row.is_visible() for row in rows.all())
    context.close()
