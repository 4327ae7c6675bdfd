"""The student's page: what it says, what it never says, and that student text stays text."""

import base64
import html
import json
import re
import struct
import unicodedata
import zlib
from dataclasses import fields, replace
from datetime import datetime, timedelta, timezone
from html.parser import HTMLParser
from pathlib import Path

import msgspec
import nbformat
import pytest
from axe_playwright_python.sync_playwright import Axe
from hypothesis import example, given
from hypothesis import strategies as st
from nbformat.v4 import new_code_cell, new_markdown_cell, new_output
from quick import first
from small_course import ROOT, cells, code, graded, make_course, markdown, result

from coursekit.course.bank import Answer
from coursekit.course.late import Lateness
from coursekit.deliver.feedback import messages
from coursekit.deliver.feedback.page import render, write_feedback
from coursekit.deliver.feedback.png import MAX_SIDE, SIGNATURE, read_png
from coursekit.deliver.feedback.steps import sections
from coursekit.deliver.text import is_blank, make_visible, short_traceback, shorten, terminal_text
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.reasons import Flag, TestReason
from coursekit.engine.shared.result import Comparison, Note, QuestionResult, Result, TestResult
from coursekit.gradebook.marks import Marks
from coursekit.grading.diagnosis import Mistake, traces_of

SECRET = "assert double(-3)"  # of the hidden test
HOSTILE = "<script>alert('out')</script><img src=x onerror=alert(1)>{{ 7*7 }}"
# The small week, with a given cell after the question.
WEEK = [*cells()[:6], code("picture", "show(double(2))"), *cells()[6:]]


@pytest.fixture
def course(tmp_path):
    return make_course(tmp_path, WEEK)[0]


@pytest.fixture(scope="module")
def master(tmp_path_factory):
    course, week = make_course(tmp_path_factory.mktemp("course"), WEEK)
    return course.master(week)


def some_result(**changes):
    """The hidden test failed, and the written answer waits."""
    one = result("s07", (2.0, 0.0))
    visible, hidden = one.tests
    visible.name, hidden.name = "small numbers", "negative numbers"
    hidden.message = "double(-3) gives 6.\nMind the sign."
    return replace(one, hashes={"master": "a" * 64, "submission": "b" * 64}, **changes)


def failed(**changes):
    """The same with a visible test that failed, too."""
    one = some_result()
    one.tests[0] = replace(one.tests[0], outcome="failed", score=0.0, **changes)
    one.questions[0].score = 0.0
    return one


def marks_of(**changes):
    """What the gradebook has of `some_result()`: nothing marked by a person yet."""
    row = Marks("s07", "graded", 2.0, 9.0, {"double": 2.0, "why": None}, True, False)
    return replace(row, **changes)


def graded_notebook(code="def double(x):\n    return x", outputs=(), written="Because.", own=(), picture=()):
    """The rebuilt notebook that the engine leaves: the master's cells, with the student's in them."""
    notebook = nbformat.from_dict({"cells": WEEK, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    answer, visible, hidden, given_cell, _, why = notebook.cells[3:]
    answer.source, answer.outputs, why.source = code, list(outputs), written
    visible.outputs = hidden.outputs = [new_output("stream", text=f"output of {SECRET}")]
    given_cell.outputs = list(picture)
    notebook.cells[4:4] = own
    return notebook


class Page(HTMLParser):
    """Tags, attributes and text of a page, as a parser sees them."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.html, self.tags, self.words = text, [], []
        self.feed(text)
        self.close()
        self.text = "".join(self.words)

    def handle_starttag(self, tag, attrs):
        self.tags.append((tag, dict(attrs)))

    def handle_data(self, data):
        self.words.append(data)

    def values(self, name):
        return [attrs[name] for _, attrs in self.tags if name in attrs]

    @property
    def steps(self):
        """What to look at, in one line."""
        start, end = map(self.text.index, ("What to look at", "Score by question"))
        return " ".join(self.text[start:end].split())

    @property
    def score(self):
        return re.search(r"([\d.]+) of ([\d.]+) points( so far| from the tests)?", self.text)[0]


ALLOWED = set(
    """html head meta title style body a header main section h1 h2 h3 p strong bdi ul ol li details summary
    table caption thead tbody tfoot tr th td div span pre img footer code""".split()  # noqa: SIM905
)


def inert(text):
    """The page parsed, after checking that nothing in it can run, load or send anything."""
    page = Page(text)
    for tag, attrs in page.tags:
        assert tag in ALLOWED, tag
        assert not [name for name in attrs if name.startswith("on") or name in ("style", "srcdoc", "srcset")]
        assert attrs.get("src", "data:image/png;base64,").startswith("data:image/png;base64,")
        assert attrs.get("href", "#").startswith("#")
    ids = page.values("id")
    assert len(ids) == len(set(ids))
    assert {link[1:] for link in page.values("href")} <= set(ids)
    assert text.startswith("<!DOCTYPE html>")
    text.encode("utf-8")
    return page


@pytest.fixture
def page(master):
    """A function that makes the page, and parses it as `inert` does."""

    def make(result=None, notebook=None, **options):
        return inert(
            render(master, result or some_result(), notebook or graded_notebook(), "A title", **options)
        )

    return make


def test_says_what_happened(page):
    made = page()
    for sentence in (
        "2 of 5 points from the tests",
        "Total from the tests",
        "1 of 2 tests did not pass",
        "Not passed negative numbers",
        "Passed small numbers",
        "double(-3) gives 6.\nMind the sign.",
        "Waiting to be graded by hand",
        "(4 points)",
        "not marked yet (of 4)",
        "def double(x):\n    return x",
        "assert double(2) == 4",  # a visible test shows its code
    ):
        assert sentence in made.text
    headings = [tag for tag, _ in made.tags if re.fullmatch(r"h\d", tag)]
    assert headings[0] == "h1" and headings.count("h1") == 1
    assert made.text.index("What to look at") < made.text.index("Score by question")
    policy = next(a["content"] for t, a in made.tags if a.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none';") and "script-src 'none'" in policy


def test_a_hidden_test_never_shows_its_source_nor_its_output(master, page):
    copied = new_code_cell(master.cells[5].source, metadata={})
    bare = graded_notebook()
    bare.cells[5].metadata = {}  # whatever the cell's metadata say
    # A result of an older master may not know that the test is hidden; a later master may not.
    known_as_visible, known_as_hidden = some_result(), some_result()
    known_as_visible.tests[1].hidden, known_as_hidden.tests[0].hidden = False, True
    for made in (page(notebook=graded_notebook(own=[copied])), page(notebook=bare), page(known_as_visible)):
        assert SECRET not in made.html and "HIDDEN TESTS" not in made.html
        assert "which is what twice means" not in made.html and "negative numbers" in made.text
    assert "assert double(2)" not in page(known_as_hidden).text


def compared(*outer):
    """A matrix of two by two in which one entry differs, perhaps inside of a larger array."""
    return Comparison(
        *("float32 (2, 2)", "float64 (2, 2)", 4, 1, "0.25", [*outer, 1, 0], ["0.75", "0.5"]),
        *([["1", "0"], ["0.75", "0.125"]], [["1", "0"], ["0.5", "0.125"]], [[False, False], [True, False]]),
    )


def test_what_was_expected_stands_beside_what_was_found(page):
    made = page(failed(comparison=compared()))
    assert (
        "Expected: float64 (2, 2). Found: float32 (2, 2). 1 of 4 entries differs. "
        "The largest difference, 0.25, is at [1, 0]: expected 0.5, found 0.75." in made.text
    )
    assert made.text.count("≠ 0.75") == made.text.count("≠") == 1, "not by colour alone"
    assert [tag for tag, _ in made.tags].count("caption") == 2
    assert "Found, at [7, :, :]" in page(failed(comparison=compared(7))).text


LIST = Comparison(
    *("list (1)", "list (2)", 2, 1, "", [1], ["", "'b'"]),
    *([["'a'", ""]], [["'a'", "'b'"]], [[False, True]]),
)
VALUE = Comparison("int", "int", 1, 1, "1", [], ["3", "4"], [["3"]], [["4"]], [[True]])


@pytest.mark.parametrize(
    ("comparison", "sentence", "differing"),
    [
        (LIST, "The first difference is at [1]: expected 'b', found nothing.", 1),
        (VALUE, "Expected 4, found 3, a difference of 1.", 0),
        (Comparison("float32 (2)", "float32 (3)"), "Expected: float32 (3). Found: float32 (2).", 0),
    ],
)
def test_lists_values_and_shapes_are_compared_in_words(page, comparison, sentence, differing):
    made = page(failed(comparison=comparison))
    assert sentence in made.text and made.text.count("≠ nothing") == made.text.count("≠") == differing


def test_what_a_hidden_test_expected_is_shown_to_no_student(page):
    hidden, of_an_older_master = some_result(), some_result()
    for one in (hidden, of_an_older_master):
        one.tests[1].comparison = compared()
    of_an_older_master.tests[1].hidden = False
    for one in (hidden, of_an_older_master, failed(comparison=compared(), hidden=True)):
        assert "Expected against found" not in page(one).html


def test_what_to_look_at_next_is_a_place_in_the_notebook(page):
    steps = page(failed()).steps
    assert (
        "Double, 5 points lost: none of its 2 tests passed What the test “negative numbers” found: double(-3) gives "
        "6. Mind the sign. Next: Read section “Double” again, then run the test "
        "“small numbers” in your notebook until it passes." in steps
    )
    assert "Why a sum?" not in steps, "nobody knows yet what is missing"
    assert "Next: All visible tests of this question pass, but not all hidden ones do." in page().steps
    untouched = failed()
    for test in untouched.tests:
        test.reason = TestReason.NOT_ANSWERED
    expected = "Not answered yet. Read section “Double”, then fill in the question's cell."
    assert expected in page(untouched).steps
    untouched.questions[0].score = 1
    assert "A part is not answered yet." in page(untouched).steps


def test_the_test_that_refuses_the_fewest_known_mistakes_is_quoted(page):
    both = failed()
    for test in both.tests:
        test.outcome, test.message = "failed", f"seen by {test.id}"
    visible, hidden = (test.id for test in both.tests)
    answer = Answer("double", Path("wrong/double_one.py"), "", "", False, (visible,), "A cause.")
    refuses_both, refuses_one = Mistake(answer, {visible: "1", hidden: "1"}), Mistake(answer, {visible: "1"})
    assert f"found: seen by {visible}" in page(both).steps, "the first of those that nothing tells apart"
    assert f"found: seen by {hidden}" in page(both, mistakes=[refuses_both, refuses_one]).steps


def test_the_most_points_come_first_and_solved_questions_not_at_all(page):
    marked = marks_of(questions={"double": 4.0, "why": 0.0}, comments={"why": "Say why."})
    steps = page(marks=marked).steps
    assert steps.index("Why a sum?, 4 points lost") < steps.index("Double, 1 point lost")
    assert "Read the comment on your answer, then section “Why a sum?” again." in steps
    solved = marks_of(questions={"double": 5.0, "why": 4.0})
    passed = some_result()
    passed.tests[1].outcome = "passed"
    assert "Next:" not in page(passed, marks=solved).text
    steps = page(marks=solved).steps
    assert "Next:" not in steps and "Double negative numbers" in steps, "a test failed all the same"
    empty = marks_of(questions={"double": 5.0, "why": 0.0})
    assert "There are no points for this answer yet. Read" in page(marks=empty).text


@pytest.mark.parametrize("above_why", ["### Why?", "## 2. Why `a` sum?"])
def test_a_section_is_the_heading_above_the_questions_own(tmp_path, above_why):
    some = cells()
    some[0]["source"] = "# Week 1\n## 1. Sums\n### `Aside`\n```python\n# not a heading\n```"
    some[6]["source"] = above_why
    course, week = make_course(tmp_path, some)
    why = "1. Sums" if above_why == "### Why?" else "2. Why a sum?"
    assert sections(course.master(week)) == {"double": "1. Sums", "why": why}


def test_flags_are_for_tas(page):
    made = page(some_result(flags=[Note(Flag.FROM_SCRATCH, cell="double", values={"uses": "torch.ops"})]))
    assert "torch.ops" not in made.html and "scratch" not in made.html


@pytest.mark.parametrize("status", ["graded", "repaired", "stopped"])
def test_each_status_is_explained(page, status):
    words, meaning = messages.STATUS[status]
    assert f"{words}. {meaning}" in page(some_result(status=status)).text


@pytest.mark.parametrize("kind", ["engine_fault", "examiner_lost"])
def test_a_fault_of_the_grader_is_not_laid_at_the_students_door(page, kind):
    flag = Note(kind, values={"error": "Traceback, of no use to a student"})
    text = page(some_result(status="fault", flags=[flag])).text
    assert "Not fully graded yet. The grader itself failed" in text and "no fault of yours" in text
    assert "Traceback" not in text and "a loop that never ends" not in text


@pytest.mark.parametrize("outcome", messages.OUTCOME)
def test_each_outcome_is_a_word(page, outcome):
    one = some_result()
    one.tests[0].outcome = outcome
    assert f"{messages.OUTCOME[outcome]} small numbers" in page(one).text


def test_a_written_answer_waits_or_was_not_written(page):
    one = some_result()
    one.questions[1].score = 0.0
    text = page(one, graded_notebook(written="YOUR ANSWER HERE")).text
    assert "Nothing was written" in text and "Waiting to be graded by hand" not in text
    one.questions[1].score = 3.0
    assert "Graded by hand" in page(one).text


def test_the_score_is_the_whole_score(page):
    waiting = page(marks=marks_of())
    assert waiting.score == "2 of 9 points so far" and "Waiting to be graded by hand" in waiting.text
    comments = {"why": "Say why two\nwould not do.", "double": "Nearly!"}
    questions = {"double": 2.0, "why": 3.5}
    made = page(marks=marks_of(score=5.5, questions=questions, by_people={"why": 3.5}, comments=comments))
    assert made.score == "5.5 of 9 points" and "Waiting" not in made.text
    assert "Graded by hand: 3.5 of 4 points." in made.text
    assert "Say why two\nwould not do." in made.text and "Nearly!" in made.text
    links = made.text[made.text.index("There are comments on") :]
    assert links.index("Double") < links.index("Why a sum?") < links.index("What to look")


def test_nothing_from_a_person_is_a_mark_too(page):
    text = page(marks=marks_of(questions={"double": 2.0, "why": 0.0}, by_people={"why": 0.0})).text
    assert "Graded by hand: 0 of 4 points." in text and "Nothing was written" not in text


def test_points_that_a_person_changed_stand_beside_what_the_test_gave(page):
    marked = marks_of(score=4.5, questions={"double": 4.5, "why": None}, by_people={"double_hidden": 2.5})
    text = page(marks=marked).text
    assert "2.5 of 3 points, given by hand; the test gave 0" in text
    assert "1 of 2 tests passed: 4.5 of 5 points." in text


@pytest.mark.parametrize(
    ("late", "score", "sentence", "total"),
    [
        (
            Lateness(2, 1.8),
            "0.2",
            "earned 2 points; 1.8 points were taken off because you handed in 2 days",
            "-1.8",
        ),
        (Lateness(30, 4.5), "0", "earned 2 points; 2 points were taken off", "-2"),  # never below nothing
        (Lateness(1, 0.0), "2", "You handed in 1 day late. That costs nothing.", ""),
    ],
)
def test_what_being_late_costs(page, late, score, sentence, total):
    made = page(marks=marks_of(late=late))
    assert made.score == f"{score} of 9 points so far" and sentence in made.text
    assert total in made.text and ("taken off" in made.text) == bool(total)


def test_unreadable_says_what_was_wrong_and_what_to_do(master):
    flags = [
        Note(Flag.UNREADABLE, values={"reason": "cut_off"}),
        Note(Flag.SETUP_FAILED, values={"error": "for the TA"}),
    ]
    one = some_result(status="unreadable", score=0.0, tests=[], flags=flags)
    text = inert(render(master, one, None)).text
    assert "The file was cut off" in text and "for the TA" not in text and "Your code" not in text
    assert "Download .ipynb" in text and "Not graded" in text
    # What a person gave and wrote is there all the same.
    marked = marks_of(status="unreadable", score=1.0, questions={"double": 0.0, "why": 1.0})
    marked = replace(marked, by_people={"why": 1.0}, comments={"why": "Read from your mail."})
    made = inert(render(master, one, None, marks=marked))
    assert made.score == "1 of 9 points" and "Read from your mail." in made.text
    assert "Graded by hand: 1 of 4 points." in made.text


def test_a_cell_that_stopped_stands_above_the_names_that_it_did_not_define(page):
    one = some_result()
    lost = "name 'double' is not defined: no cell of the notebook defined it without an error"
    for test in one.tests:
        test.outcome, test.message, test.reason = "error", lost, TestReason.UNDEFINED
    why = "'(' was never closed (file.py, line 3)"
    notebook = graded_notebook("x", [new_output("error", ename="SyntaxError", evalue=why, traceback=[])])
    text = page(one, notebook).text
    cause = f"Probable cause: Your cell stopped with SyntaxError: {why}"
    assert text.count(cause) == 2 and text.index(cause) < text.index(lost)
    one.tests[0].reason = one.tests[1].reason = TestReason.RAISED
    assert "Probable cause" not in page(one, notebook).text


@pytest.mark.parametrize("looked_at", [False, True])
def test_a_newer_python_is_not_laid_at_the_students_door(page, looked_at):
    one = replace(
        failed(), flags=[Note(Flag.NEWER_PYTHON, cell="double", values={"needs": "3.12", "here": "3.11"})]
    )
    for test in one.tests:
        test.outcome, test.score, test.reason = "not_run", 0.0, TestReason.NEWER_PYTHON
    why = "f-string: unmatched '['"
    notebook = graded_notebook("x", [new_output("error", ename="SyntaxError", evalue=why, traceback=[])])
    shown = page(one, notebook, marks=marks_of(flagged=not looked_at))
    assert "syntax of Python 3.12, which the grader's Python 3.11 cannot read" in shown.text
    assert "Your cell stopped with SyntaxError" not in shown.text and "until it passes" not in shown.steps
    assert (
        ("no mistake of yours" in shown.text) == ("A person will look at it" in shown.text) == (not looked_at)
    )


def test_a_question_without_a_passed_test_takes_one_line(page):
    one = some_result()
    one.tests[0].outcome = "not_run"
    made = page(one)
    assert "none of its 2 tests passed" in made.text and "0 of 2 tests passed" in made.text
    assert "#question-1-test-1" not in made.values("href")


def test_repairs_are_grouped_and_bounded(page):
    repairs = [Note("metadata_restored", cell=f"cell{number}") for number in range(100)]
    repairs += [Note("brand_new"), Note("renamed_file", values={"name": "my.ipynb"})]
    text = page(some_result(status="repaired", repairs=repairs)).text
    assert "(100 times)" in text and "and 70 more" in text
    assert "Brand new." in text and "handed in as 'my.ipynb'" in text


def test_hostile_content_everywhere_stays_text(master):
    evil = {"image/png": HOSTILE, "image/svg+xml": f"<svg>{HOSTILE}</svg>", "text/html": HOSTILE}
    outputs = [
        new_output("stream", name="stderr", text=HOSTILE),
        new_output("display_data", data=evil),
        new_output("display_data", data={"application/javascript": "alert(1)", HOSTILE: HOSTILE}),
        new_output("execute_result", data={"text/plain": HOSTILE, "text/html": HOSTILE}),
        new_output("error", ename=HOSTILE, evalue=HOSTILE, traceback=["\x1b[31m" + HOSTILE + "\x1b[0m"]),
        {"output_type": "stream", "text": 7},
        {"output_type": "display_data", "data": [HOSTILE]},
        {"output_type": "error", "traceback": HOSTILE},
        HOSTILE,
    ]
    one = some_result(student=HOSTILE)
    one.repairs.extend([Note("renamed_file", cell=HOSTILE, values={"name": HOSTILE}), Note(HOSTILE)])
    one.hashes["submission"] = HOSTILE
    one.receipts.update({HOSTILE: HOSTILE, "\u202egnp.ipynb": "0123456789ab"})
    one.tests[0].message = one.tests[0].outcome = one.questions[0].title = HOSTILE
    one.tests[0].comparison = Comparison(
        *[HOSTILE] * 2, 1, 1, HOSTILE, [0, 0], [HOSTILE] * 2, [[HOSTILE]], [[HOSTILE]], [[True]]
    )
    notebook = graded_notebook(
        HOSTILE, outputs, HOSTILE, [new_markdown_cell(HOSTILE), new_code_cell(HOSTILE)]
    )
    for value in ("x", 3, ["grade_id"], {"solution": True, "grade_id": None}):
        notebook.cells.append(nbformat.from_dict({**new_code_cell("own"), "metadata": {"nbgrader": value}}))
    comment = HOSTILE + "\x1b[31m\u202e" + "long " * 10_000
    text = render(master, one, notebook, HOSTILE, marks_of(comments={"why": comment}))
    made = inert(text)
    assert "<script" not in text and "<svg" not in text
    assert made.text.count(HOSTILE) >= 20, "shown, as it was written"
    assert "[U+202E]gnp.ipynb" in made.text and "characters are left out here" in made.text
    assert "49" not in made.text.replace(HOSTILE, "").replace("49,", "")
    assert "\x1b" not in text and "[31m" not in text


def chunk(kind, data):
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))


def png(width=4, height=4, extra=b""):
    """A real one-colour PNG as base64, optionally with a chunk before its end."""
    rows = b"".join(b"\x00" + b"\x80" * min(width, 4096) for _ in range(min(height, 4096)))
    data = SIGNATURE + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    data += chunk(b"IDAT", zlib.compress(rows, 0)) + extra + chunk(b"IEND", b"")
    return base64.b64encode(data).decode()


def test_pictures_are_png_and_nothing_else(page):
    good, later = png(), png(5, 5)
    outputs = [
        new_output("display_data", data={"image/png": good, "text/plain": "<Figure size 640x480>"}),
        new_output("display_data", data={"image/jpeg": good}),
    ]
    picture = [new_output("display_data", data={"image/png": later})]
    made = page(notebook=graded_notebook(outputs=outputs, picture=picture))
    assert [source.split(",")[1] for source in made.values("src")] == [good, later]
    assert "Figure size" not in made.html and "only text and PNG pictures" in made.html


def test_png_is_read_strictly():
    whole = base64.b64decode(png())

    def read(data):
        return read_png(base64.b64encode(data).decode())

    assert read_png(png(extra=chunk(b"tEXt", b"Comment\x00<script>"))) == whole, "text chunks go"
    assert read(whole + b"<script>") == whole, "so does what stands after the end"
    assert read_png([png()[:10] + "\n", png()[10:]]) == whole, "nbformat's list of lines"
    assert read(whole[:-3]) is None
    assert read(whole[:40] + b"\xff" + whole[41:]) is None, "a wrong checksum"
    assert read(SIGNATURE + b"<script>") is None
    assert read_png(png(MAX_SIDE + 1, 1)) is None and read_png(png(9000, 9000)) is None
    for value in (None, 3, "", "é", "AAAA", {"a": 1}, [3], "\ud800"):
        assert read_png(value) is None


@pytest.mark.slow
def test_long_things_are_cut_and_the_page_is_bounded(page):
    outputs = [new_output("stream", text="a" * 3_000_000 + "THE END")]
    text = page(notebook=graded_notebook(outputs=outputs)).text
    assert "2,990,007 characters are left out here; the end follows." in text and "THE END" in text
    big = [new_output("display_data", data={"image/png": png(1500, 1000)})]
    own = [new_code_cell(f"x = {number}\n" + "&" * 30_000, outputs=big) for number in range(60)]
    own += [new_code_cell("pass", outputs=[new_output("stream", text="\x00" * 50_000)]) for _ in range(2000)]
    one = some_result()
    one.tests[1].message = "<" * 1_000_000
    made = page(one, graded_notebook("\u202e" * 1_000_000, own=own))
    assert len(made.html.encode()) < 8_000_000
    assert "cannot hold more pictures" in made.text and "cannot hold more" in made.text
    assert [tag for tag, _ in made.tags].count("img") == 1


def test_prints_in_pieces_become_one_output(page):
    outputs = [new_output("stream", text=f"{number}\n") for number in range(100)]
    assert "\n".join(map(str, range(100))) in page(notebook=graded_notebook(outputs=outputs)).text


def test_every_unseen_character_is_made_visible():
    for number in range(0x110000):
        char = chr(number)
        unseen = unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp")
        if unseen and char not in "\t\n\r\u200c\u200d":
            assert make_visible(char) == f"[U+{number:04X}]", hex(number)
    assert make_visible("é\t\U0001f469\u200d\U0001f4bb שלום") == "é\t\U0001f469\u200d\U0001f4bb שלום"


def test_printed_is_what_a_terminal_shows():
    assert terminal_text("\x1b[0;31mValueError\x1b[0m: no") == "ValueError: no"
    assert terminal_text("\x1b]0;title\x07text") == "text"
    assert terminal_text(" 1%\r 50%\r100%\r\ndone") == "100%\ndone"


def test_a_traceback_does_not_say_where_the_grader_lives(page):
    trace = "File \x1b[32m/srv/env/lib/python3.11/site-packages/numpy/core.py:232\x1b[39m, in ones\nFile /tmp/x.py"
    assert short_traceback(trace) == "File site-packages/numpy/core.py:232, in ones\nFile /tmp/x.py"
    error = new_output("error", ename="E", evalue="v", traceback=[trace])
    text = page(notebook=graded_notebook(outputs=[error])).text
    assert "/srv" not in text and "numpy/core.py:232" in text


@given(st.text(alphabet=st.characters(), max_size=300), st.integers(0, 200))
def test_cut_loses_only_what_it_says(text, limit):
    head, left_out, tail = shorten(text, limit)
    assert text.startswith(head) and text.endswith(tail)
    assert len(head) + left_out + len(tail) == len(text)
    assert len(head) + len(tail) <= limit


TEXTS = st.text(alphabet=st.characters(), max_size=200) | st.text(
    alphabet="<>&\"'/=!-{}%#\n\r\x00\u202e", max_size=60
)


@given(TEXTS, TEXTS, TEXTS)
@example("\x1f", "\x1f", "\x1f")  # white space to str.strip, but the page shows it
@example("", "\t", "")  # nothing to see is not shown
def test_any_text_stays_text(master, first, second, third):
    """In each place the parser gives back exactly the cleaned text, in a page with the usual tags."""
    one = some_result(student=first)
    one.tests[0].message = second
    made = inert(render(master, one, graded_notebook(third, [new_output("stream", text=first)], second)))
    assert make_visible(first) in made.text
    assert make_visible(third) in made.text or not third.strip(" \t\r\n")
    assert make_visible(terminal_text(second).strip("\n")) in made.text or is_blank(terminal_text(second))


def test_the_documented_example_is_a_result():
    text = (ROOT / "docs" / "result.md").read_text(encoding="utf-8")
    documented = re.search(r"```json\n(.*?)```", text, re.DOTALL)[1]
    one = Result.from_json(documented)
    assert one.to_json() == documented
    assert one.score == sum(test.score for test in one.tests)
    assert one.max_score == sum(test.points for test in one.tests)
    assert all(re.fullmatch("[0-9a-f]{64}", digest) for digest in one.hashes.values())
    for holder in (Result, QuestionResult, TestResult, Note):
        for item in fields(holder):
            assert f"| `{item.name}` |" in text, f"docs/result.md does not describe {item.name}"


def leave_result(course, student="s07", one=None, notebook=None):
    """Write what the grader leaves, with this text in the notebook's place."""
    folder = course.autograded(student, course.weeks[0])
    folder.mkdir(parents=True)
    (folder / "result.json").write_text((one or some_result()).to_json(), encoding="utf-8")
    text = notebook if isinstance(notebook, str) else json.dumps(notebook or graded_notebook())
    (folder / "attention.ipynb").write_text(text, encoding="utf-8")


def test_writes_the_page_where_nbgrader_would(course):
    week, student = course.weeks[0], "<b>& ünï"
    leave_result(course, student, some_result(student="someone else"), graded_notebook("x = '\ud800'"))
    path = write_feedback(course, week, student)
    assert path == course.root / "feedback" / student / "week1_attention" / "attention.html"
    text = path.read_text(encoding="utf-8")
    assert html.escape(student) in text and "someone else" not in text and "[U+D800]" in text
    assert write_feedback(course, week, student) == path, "a second time replaces it"
    assert [item.name for item in path.parent.iterdir()] == ["attention.html"], "nothing is left beside it"


def test_the_page_says_when_it_was_handed_in_and_graded(course):
    week, marked = course.weeks[0], marks_of(handed_in_at=datetime(2027, 3, 7, 22, 59))
    week = msgspec.structs.replace(week, due=None)
    leave_result(course)
    text = write_feedback(course, week, "s07", marked).read_text(encoding="utf-8")
    assert f"{course.title} · week1_attention · handed in 2027-03-07 22:59 UTC · graded 20" in text
    due = msgspec.structs.replace(week, due=datetime(2027, 3, 8, tzinfo=timezone(timedelta(hours=1))))
    assert "2027-03-07 23:59 UTC+01:00" in write_feedback(course, due, "s07", marked).read_text()
    assert "handed in" not in write_feedback(course, week, "s07", marks_of()).read_text()


def test_a_failed_write_leaves_the_old_page(course, monkeypatch):
    leave_result(course)
    path = write_feedback(course, course.weeks[0], "s07")
    before = path.read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(CourseError, match="No space left"):
        write_feedback(course, course.weeks[0], "s07")
    assert path.read_bytes() == before and len(list(path.parent.iterdir())) == 1


def test_refuses_what_it_cannot_answer(course):
    for name in ("", ".", "..", "a/b", "../s07", "a\x00b"):
        with pytest.raises(CourseError, match="folder"):
            write_feedback(course, course.weeks[0], name)
    with pytest.raises(CourseError, match="course grade week1_attention"):
        write_feedback(course, course.weeks[0], "nobody")


def test_a_damaged_graded_notebook_still_gives_a_page(course):
    leave_result(course, notebook='{"cells": [')
    text = write_feedback(course, course.weeks[0], "s07").read_text(encoding="utf-8")
    assert "Your marks are not affected" in text and "<strong>2</strong> of 5 points" in text


def pages(pdf):
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


@pytest.mark.slow
@pytest.mark.parametrize(("questions", "tells"), [(5, 1), (9, 3)])
def test_printed_the_first_page_is_the_summary_and_the_rest_follows(chromium, tmp_path, questions, tells):
    """A week as long as the longest of this course, in which every question fails and every cause is known."""
    some = [WEEK[0]]
    for number in range(questions):
        some.append(markdown(f"heading{number}", f"### Question {number}. A heading as long as headings are"))
        some.append(
            code(
                f"q{number}", "### BEGIN SOLUTION\n1\n### END SOLUTION", **graded(f"q{number}", solution=True)
            )
        )
        for kind in ("visible", "hidden"):
            key, source = f"q{number}_{kind}", "### BEGIN HIDDEN TESTS\nassert 1\n### END HIDDEN TESTS"
            some.append(code(key, source, **graded(key, grade=True, points=1)))
    course, week = make_course(tmp_path, some)
    master = course.master(week)
    one = some_result(
        questions=[QuestionResult(item.id, item.title, 0.0, item.max_score) for item in master.questions],
        tests=[
            TestResult(test, item.id, 1.0, 0.0, "failed", "no", False, "a name of sixty letters " * 3, test)
            for item in master.questions
            for test in item.tests
        ],
        repairs=[
            Note(kind, cell="q1", values={"title": "What was in it. " * 6})
            for kind in list(messages.REPAIR)[:5]
        ],
        receipts={f"attention({number}).ipynb": "0123456789ab" for number in range(3)},
    )
    for test in one.tests:
        test.trace = f"list(1) {test.id}"
    tell = (
        "A sentence that says what the mistake is, long enough to need a second line on any paper there is."
    )
    mistakes = [
        Mistake(
            Answer(item.id, Path(f"wrong/{item.id}.py"), "", "", False, item.tests, tell),
            traces_of(one, item.id),
        )
        for item in master.questions
        for _ in range(tells)
    ]
    path = tmp_path / "page.html"
    path.write_text(render(master, one, None, "A title", marks_of(), mistakes), encoding="utf-8")
    for paper in ("A4", "Letter"):
        page = chromium.new_page()
        page.goto(path.as_uri())
        whole = pages(page.pdf(format=paper))
        page.evaluate(
            "document.querySelectorAll('.details ~ .details, footer').forEach(part => part.remove())"
        )
        assert pages(page.pdf(format=paper)) == 2 <= whole, "the details begin on a page of their own"
        page.evaluate("document.querySelectorAll('.details').forEach(part => part.remove())")
        assert pages(page.pdf(format=paper)) == 1, paper
        page.emulate_media(media="print")
        shown = page.locator("main").inner_text()
        assert "Score by question" in shown and "Next: Read section" in shown
        assert (tell in shown) == (tells == 1), "where they do not fit, causes stand with their questions"
        page.close()


@pytest.mark.parametrize(("scheme", "scripts"), first(2, [("light", True), ("dark", False), ("dark", True)]))
def test_in_a_browser(chromium, course, scripts, scheme):
    """Nothing runs, nothing is fetched, everything can be read, and the keyboard gets everywhere."""
    one = some_result(status="stopped", repairs=[Note("reordered", cell="double")])
    one.tests[0].outcome, one.tests[0].message = "error", HOSTILE
    table = [[HOSTILE] * 6] * 12
    one.tests[0].comparison = Comparison(
        *[HOSTILE] * 2, 72, 72, HOSTILE, [0, 0], [HOSTILE] * 2, table, table, [[True] * 6] * 12
    )
    evil = {"text/html": HOSTILE, "image/svg+xml": HOSTILE, "image/png": "AAAA"}
    outputs = [
        new_output("display_data", data=evil),
        new_output("stream", text=HOSTILE + "\n" + "long " * 4000),
        new_output("display_data", data={"image/png": png(40, 20)}),
    ]
    own = [new_markdown_cell(HOSTILE), new_code_cell("x" * 500, outputs=outputs)]
    one.receipts.update({"n" * 250 + ".ipynb": "0123456789ab", HOSTILE + ".ipynb": "ba9876543210"})
    student = "s07 onload=alert(1) <script>"
    leave_result(course, student, one, graded_notebook(HOSTILE, outputs, HOSTILE, own))
    path = write_feedback(course, course.weeks[0], student)
    context = chromium.new_context(
        java_script_enabled=scripts, color_scheme=scheme, viewport={"width": 360, "height": 700}
    )
    page = context.new_page()
    dialogs, requests, complaints = [], [], []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    page.on("request", lambda request: requests.append(request.url))
    page.on("console", lambda message: complaints.append(message.text))
    page.goto(path.as_uri())
    assert page.title() == f"{course.weeks[0].title}: feedback for {student}"
    assert page.locator("h1").all_inner_texts() == [course.weeks[0].title]
    headings = ["Your score", "What to look at", "Score by question", "What was repaired in your notebook"]
    assert page.locator("h2").all_inner_texts() == [*headings, "Double", "Why a sum?"]
    for summary in page.locator("summary").all():
        summary.focus()
        page.keyboard.press("Enter")
    assert page.locator("img").count() == 2
    if scripts:  # playwright asks the page by script
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, "no sideways scrolling"
        # Contrasts, names, order of headings, and all else that axe knows.
        assert [found["id"] for found in Axe().run(page).response["violations"]] == []
        assert page.evaluate("[...document.images].every(i => i.complete && i.naturalWidth === 40)")
    page.reload()
    page.keyboard.press("Tab")
    assert page.locator(":focus").inner_text() == "Skip to the feedback"
    page.keyboard.press("Enter")
    page.wait_for_url("**#main")
    assert dialogs == [] and complaints == []
    assert {url.split("#")[0] for url in requests if not url.startswith("data:")} == {path.as_uri()}
    context.close()
