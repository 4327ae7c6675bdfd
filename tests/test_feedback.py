"""The student's page: what it says, what it never says, and that student text stays text."""

import base64
import html
import json
import re
import unicodedata
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
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook, new_output
from quick import first

from coursekit.course.bank import Answer
from coursekit.course.config import open_course
from coursekit.course.late import Lateness
from coursekit.deliver.feedback import messages
from coursekit.deliver.feedback.page import render, write_feedback
from coursekit.deliver.feedback.png import MAX_SIDE, SIGNATURE, read_png
from coursekit.deliver.feedback.steps import sections
from coursekit.deliver.text import is_blank, make_visible, short_traceback, shorten, terminal_text
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import read_master
from coursekit.engine.shared.reasons import Flag, TestReason
from coursekit.engine.shared.result import Comparison, Note, QuestionResult, Result, TestResult
from coursekit.gradebook.marks import Marks
from coursekit.grading.diagnosis import Mistake, traces_of

SECRET = "oracle_of_delphi"
HOSTILE = "<script>alert('out')</script><img src=x onerror=alert(1)>{{ 7*7 }}"


def graded(cell, grade_id, points=0, grade=False, solution=False):
    cell.metadata["nbgrader"] = {
        "grade": grade,
        "grade_id": grade_id,
        "locked": grade and not solution,
        "points": points,
        "schema_version": 3,
        "solution": solution,
        "task": False,
    }
    return cell


def master_notebook():
    return new_notebook(
        cells=[
            new_markdown_cell("# Attention", id="intro"),
            new_code_cell("import math", id="setup", metadata={"tags": ["setup"]}),
            new_markdown_cell("### The softmax of a row", id="softmax-why"),
            graded(
                new_code_cell(
                    "def softmax(x):\n"
                    "    ### BEGIN SOLUTION\n    return the_reference\n    ### END SOLUTION\n"
                    "    raise NotImplementedError('week 1, softmax')",
                    id="softmax",
                ),
                "softmax",
                solution=True,
            ),
            graded(
                new_code_cell(
                    "# Test: the weights of each row sum to 1\n"
                    "assert abs(sum(softmax([1, 2])) - 1) < 1e-6, 'not 1'",
                    id="softmax-rows",
                ),
                "softmax_rows",
                points=2,
                grade=True,
            ),
            graded(
                new_code_cell(
                    "# Test: large numbers do not overflow\n### BEGIN HIDDEN TESTS\n"
                    f"{SECRET} = softmax([1000.0])\nassert {SECRET} == [1.0]\n### END HIDDEN TESTS",
                    id="softmax-hidden",
                ),
                "softmax_hidden_stable",
                points=3,
                grade=True,
            ),
            new_code_cell("show(softmax([1, 2, 3]))", id="softmax-picture"),
            new_markdown_cell("### Why three matrices?", id="why-prose"),
            graded(
                new_markdown_cell("the model answer", id="why"),
                "why_three",
                points=4,
                grade=True,
                solution=True,
            ),
        ]
    )


@pytest.fixture(scope="module")
def master():
    return read_master(nbformat.writes(master_notebook()).encode(), "week1_attention", "attention")


def result_for(**changes):
    result = Result(
        student="s07",
        week="week1_attention",
        status="graded",
        score=2.0,
        max_score=5.0,
        needs_review=True,
        questions=[
            QuestionResult("softmax", "The softmax of a row", 2.0, 5.0),
            QuestionResult("why_three", "Why three matrices?", None, 4.0),
        ],
        tests=[
            TestResult(
                "softmax_rows", "softmax", 2.0, 2.0, "passed", "", False, "the weights of each row sum to 1"
            ),
            TestResult(
                "softmax_hidden_stable",
                "softmax",
                3.0,
                0.0,
                "failed",
                "softmax([1000]) gives nan.\nSubtract the row's maximum before exp.",
                True,
                "large numbers do not overflow",
            ),
        ],
        hashes={"master": "a" * 64, "submission": "b" * 64, "engine": "c" * 64},
    )
    return replace(result, **changes)


def graded_notebook(code="def softmax(x):\n    return x", outputs=(), written="Because.", own=(), picture=()):
    """The rebuilt notebook that the engine leaves: the master's cells, with the student's in them."""
    notebook = master_notebook()
    for cell in notebook.cells:
        name = cell.metadata.get("nbgrader", {}).get("grade_id")
        if name == "softmax":
            cell.source, cell.outputs = code, list(outputs)
        elif name == "why_three":
            cell.source = written
        elif name and cell.cell_type == "code":
            cell.outputs = [new_output("stream", text=f"test output {SECRET}")]
        elif cell.id == "softmax-picture":
            cell.outputs = list(picture)
    place = next(i for i, cell in enumerate(notebook.cells) if cell.id == "softmax") + 1
    notebook.cells[place:place] = own
    return notebook


def png(width=4, height=4, extra=b""):
    """A real one-colour PNG as base64, optionally with a chunk before its end."""
    import struct
    import zlib

    def chunk(kind, data):
        return (
            struct.pack(">I", len(data))
            + kind
            + data
            + struct.pack(">I", zlib.crc32(kind + data) & 0xFFFFFFFF)
        )

    data = SIGNATURE + chunk(b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 0, 0, 0, 0))
    rows = b"".join(b"\x00" + b"\x80" * min(width, 4096) for _ in range(min(height, 4096)))
    data += chunk(b"IDAT", zlib.compress(rows, 0)) + extra + chunk(b"IEND", b"")
    return base64.b64encode(data).decode()


class Page(HTMLParser):
    """Tags, attributes and text of a page, as a parser sees them."""

    def __init__(self, text):
        super().__init__(convert_charrefs=True)
        self.tags, self.words, self.ids, self.links = [], [], [], []
        self.feed(text)
        self.close()
        self.text = "".join(self.words)

    def handle_starttag(self, tag, attrs):
        attrs = dict(attrs)
        self.tags.append((tag, attrs))
        self.ids += [attrs["id"]] if "id" in attrs else []
        self.links += [attrs["href"]] if "href" in attrs else []

    def handle_data(self, data):
        self.words.append(data)


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
    assert len(page.ids) == len(set(page.ids))
    assert {link[1:] for link in page.links} <= set(page.ids)
    assert text.startswith("<!DOCTYPE html>")
    text.encode("utf-8")
    return page


def test_says_what_happened(master):
    text = render(master, result_for(), graded_notebook(), title="Scaled dot-product attention")
    page = inert(text)
    assert "2 of 5 points from the tests" in page.text
    assert "1 of 2 tests did not pass" in page.text
    assert "Not passed large numbers do not overflow" in page.text
    assert "Passed the weights of each row sum to 1" in page.text
    assert "softmax([1000]) gives nan.\nSubtract the row's maximum before exp." in page.text
    assert (
        "Waiting to be graded by hand" in page.text
        and "(4 points)" in page.text
        and "not marked yet (of 4)" in page.text
    )
    assert "def softmax(x):\n    return x" in page.text
    assert "assert abs(sum(softmax([1, 2])) - 1) < 1e-6" in page.text, "a visible test shows its code"
    headings = [tag for tag, _ in page.tags if re.fullmatch(r"h\d", tag)]
    assert headings[0] == "h1" and headings.count("h1") == 1
    assert page.text.index("What to look at") < page.text.index("Score by question")
    policy = next(a["content"] for t, a in page.tags if a.get("http-equiv") == "Content-Security-Policy")
    assert policy.startswith("default-src 'none';")


def test_hidden_test_never_shows_its_source(master):
    copied = new_code_cell(master.cells[5].source, metadata={})
    text = render(master, result_for(), graded_notebook(own=[copied]))
    assert SECRET not in text and "HIDDEN TESTS" not in text and "the_reference" not in text
    assert "large numbers do not overflow" in text
    # A result of an older master may not know that the test is hidden; a later master may not.
    told = result_for()
    told.tests[1].hidden = False
    assert SECRET not in render(master, told, graded_notebook())
    told = result_for()
    told.tests[0].hidden = True
    assert "abs(sum(softmax" not in render(master, told, graded_notebook())


def test_test_cells_outputs_are_left_out_whatever_their_metadata_claim(master):
    notebook = graded_notebook()
    for cell in notebook.cells:
        if cell.metadata.get("nbgrader", {}).get("grade_id") == "softmax_hidden_stable":
            cell.metadata = {}
    assert SECRET not in render(master, result_for(), notebook)


def compared(*outer):
    """A matrix of two by two in which one entry differs, perhaps inside of a larger array."""
    return Comparison(
        found="float32 (2, 2)",
        expected="float64 (2, 2)",
        entries=4,
        differing=1,
        largest="0.25",
        place=[*outer, 1, 0],
        here=["0.75", "0.5"],
        found_table=[["1", "0"], ["0.75", "0.125"]],
        expected_table=[["1", "0"], ["0.5", "0.125"]],
        marked=[[False, False], [True, False]],
    )


def failed(**changes):
    """`result_for()` with a visible test that failed and compared something."""
    result = result_for()
    result.tests[0] = replace(result.tests[0], outcome="failed", score=0.0, **changes)
    result.questions[0].score = 0.0
    return result


def test_what_was_expected_stands_beside_what_was_found(master):
    page = inert(render(master, failed(comparison=compared()), graded_notebook()))
    assert (
        "Expected: float64 (2, 2). Found: float32 (2, 2). 1 of 4 entries differs. "
        "The largest difference, 0.25, is at [1, 0]: expected 0.5, found 0.75." in page.text
    )
    assert page.text.count("≠ 0.75") == 1 and page.text.count("≠") == 1, "not by colour alone"
    assert [tag for tag, _ in page.tags].count("caption") == 2
    assert (
        "Found, at [7, :, :]" in inert(render(master, failed(comparison=compared(7)), graded_notebook())).text
    )


def test_lists_values_and_shapes_are_compared_in_words(master):
    told = Comparison(
        "list (1)", "list (2)", 2, 1, "", [1], ["", "'b'"], [["'a'", ""]], [["'a'", "'b'"]], [[False, True]]
    )
    text = inert(render(master, failed(comparison=told), graded_notebook())).text
    assert "The first difference is at [1]: expected 'b', found nothing." in text and "≠ nothing" in text
    told = Comparison("int", "int", 1, 1, "1", [], ["3", "4"], [["3"]], [["4"]], [[True]])
    text = inert(render(master, failed(comparison=told), graded_notebook())).text
    assert "Expected 4, found 3, a difference of 1." in text and "≠" not in text
    text = inert(
        render(master, failed(comparison=Comparison("float32 (2)", "float32 (3)")), graded_notebook())
    ).text
    assert "Expected: float32 (3). Found: float32 (2)." in text


def test_what_a_hidden_test_expected_is_shown_to_no_student(master):
    result = result_for()
    result.tests[1].comparison = compared()
    assert "Expected against found" not in render(master, result, graded_notebook())
    result.tests[1].hidden = False  # a result of an older master, in which it was visible
    assert "Expected against found" not in render(master, result, graded_notebook())
    assert "Expected against found" not in render(
        master, failed(comparison=compared(), hidden=True), graded_notebook()
    )


def steps_of(page):
    said = page.text[page.text.index("What to look at") : page.text.index("Score by question")]
    return " ".join(said.split())


def test_what_to_look_at_next_is_a_place_in_the_notebook(master):
    said = steps_of(inert(render(master, failed(name="rows sum to 1"), graded_notebook())))
    assert (
        "The softmax of a row, 5 points lost: none of its 2 tests passed "
        "Next: Read section “The softmax of a row” again, then run the test "
        "“rows sum to 1” in your notebook until it passes." in said
    )
    assert "Why three matrices?" not in said, "nobody knows yet what is missing"
    said = steps_of(inert(render(master, result_for(), graded_notebook())))
    assert (
        "The softmax of a row, 3 points lost Next: All tests that you can run pass, but hidden ones do not."
        in said
    )
    untouched = failed(reason=TestReason.NOT_ANSWERED)
    untouched.tests[1].reason = TestReason.NOT_ANSWERED
    said = steps_of(inert(render(master, untouched, graded_notebook())))
    assert "Not answered yet. Read section “The softmax of a row”, then fill in the question's cell." in said


def test_the_most_points_come_first_and_solved_questions_not_at_all(master):
    marked = marks_of(questions={"softmax": 4.0, "why_three": 0.0}, comments={"why_three": "Say why."})
    said = steps_of(inert(render(master, result_for(), graded_notebook(), marks=marked)))
    assert said.index("Why three matrices?, 4 points lost") < said.index("The softmax of a row, 1 point lost")
    assert "Read the comment on your answer, then section “Why three matrices?” again." in said
    marked = marks_of(questions={"softmax": 5.0, "why_three": 4.0})
    passed = result_for()
    passed.tests[1].outcome = "passed"
    assert "Next:" not in render(master, passed, graded_notebook(), marks=marked)
    said = steps_of(inert(render(master, result_for(), graded_notebook(), marks=marked)))
    assert "Next:" not in said and "The softmax of a row large numbers" in said, "a test failed all the same"
    empty = marks_of(questions={"softmax": 5.0, "why_three": 0.0})
    assert "There are no points for this answer yet. Read" in render(
        master, result_for(), graded_notebook(), marks=empty
    )


def test_a_section_is_the_heading_above_the_questions_own():
    notebook = master_notebook()
    notebook.cells[0].source = "# Attention\n## 1. Scores\n### `Aside`"
    places = sections(read_master(nbformat.writes(notebook).encode(), "w", "n"))
    assert places == {"softmax": "1. Scores", "why_three": "1. Scores"}
    notebook.cells[7].source = "## 2. Why `three`?"
    places = sections(read_master(nbformat.writes(notebook).encode(), "w", "n"))
    assert places == {"softmax": "1. Scores", "why_three": "2. Why three?"}


def test_flags_are_for_tas(master):
    result = result_for(flags=[Note(Flag.FROM_SCRATCH, "softmax", {"uses": "torch.ops"})])
    text = render(master, result, graded_notebook())
    assert "torch.ops" not in text and "scratch" not in text


@pytest.mark.parametrize("status", ["graded", "repaired", "stopped"])
def test_each_status_is_explained(master, status):
    page = inert(render(master, result_for(status=status), graded_notebook()))
    assert messages.STATUS[status][0] + "." in page.text
    assert messages.STATUS[status][1] in page.text


@pytest.mark.parametrize("kind", ["engine_fault", "examiner_lost"])
def test_a_fault_of_the_grader_is_not_laid_at_the_students_door(master, kind):
    result = result_for(
        status="fault", flags=[Note(kind, "", {"error": "Traceback, of no use to a student"})]
    )
    page = inert(render(master, result, graded_notebook()))
    assert "Not fully graded yet. The grader itself failed" in page.text
    assert "no fault of yours" in page.text and "Traceback" not in page.text
    assert "a loop that never ends" not in page.text


@pytest.mark.parametrize("outcome", ["passed", "failed", "error", "stopped", "not_run"])
def test_each_outcome_is_a_word(master, outcome):
    result = result_for()
    result.tests[0].outcome = outcome
    page = inert(render(master, result, graded_notebook()))
    assert messages.OUTCOME[outcome] + " the weights of each row" in page.text


def test_a_written_answer_waits_or_was_not_written(master):
    result = result_for()
    result.questions[1].score = 0.0
    page = inert(render(master, result, graded_notebook(written="YOUR ANSWER HERE")))
    assert "Nothing was written" in page.text and "Waiting to be graded by hand" not in page.text
    result.questions[1].score = 3.0
    assert "Graded by hand" in inert(render(master, result, graded_notebook())).text


def marks_of(**changes):
    """What the gradebook has of `result_for()`: nothing marked by a person yet."""
    row = Marks("s07", "graded", 2.0, 9.0, {"softmax": 2.0, "why_three": None}, True, False)
    return replace(row, **changes)


def score_of(page):
    return re.search(r"([\d.]+) of ([\d.]+) points( so far| from the tests)?", page.text)[0]


def test_without_marks_the_page_tells_what_the_tests_gave(master):
    page = inert(render(master, result_for(), graded_notebook()))
    assert score_of(page) == "2 of 5 points from the tests" and "Total from the tests" in page.text


def test_the_score_is_the_whole_score(master):
    waiting = inert(render(master, result_for(), graded_notebook(), marks=marks_of()))
    assert score_of(waiting) == "2 of 9 points so far" and "Waiting to be graded by hand" in waiting.text
    marked = marks_of(
        score=5.5,
        questions={"softmax": 2.0, "why_three": 3.5},
        by_people={"why_three": 3.5},
        comments={"why_three": "Say why two\nwould not do.", "softmax": "Nearly!"},
    )
    page = inert(render(master, result_for(), graded_notebook(), marks=marked))
    assert score_of(page) == "5.5 of 9 points" and "Waiting" not in page.text
    assert "Graded by hand: 3.5 of 4 points." in page.text
    assert "Say why two\nwould not do." in page.text and "Nearly!" in page.text
    said = page.text[page.text.index("There are comments on") :]
    assert said.index("The softmax of a row") < said.index("Why three matrices?") < said.index("What to look")


def test_nothing_from_a_person_is_a_mark_too(master):
    marked = marks_of(questions={"softmax": 2.0, "why_three": 0.0}, by_people={"why_three": 0.0})
    page = inert(render(master, result_for(), graded_notebook(), marks=marked))
    assert "Graded by hand: 0 of 4 points." in page.text and "Nothing was written" not in page.text


def test_a_tests_points_that_a_person_changed_are_told_beside_what_the_test_gave(master):
    marked = marks_of(
        score=4.5,
        questions={"softmax": 4.5, "why_three": None},
        by_people={"softmax_hidden_stable": 2.5},
    )
    page = inert(render(master, result_for(), graded_notebook(), marks=marked))
    assert "2.5 of 3 points, given by hand; the test gave 0" in page.text
    assert "1 of 2 tests passed: 4.5 of 5 points." in page.text


def test_what_being_late_costs_is_told(master):
    marked = marks_of(score=2.0, late=Lateness(2, 1.8))
    page = inert(render(master, result_for(), graded_notebook(), marks=marked))
    assert score_of(page) == "0.2 of 9 points so far"
    assert (
        "Your answers earned 2 points; 1.8 points were taken off because you handed in 2 days late."
        in page.text
    )
    assert "-1.8" in page.text
    page = inert(render(master, result_for(), graded_notebook(), marks=marks_of(late=Lateness(30, 4.5))))
    assert "earned 2 points; 2 points were taken off" in page.text and "-2" in page.text, (
        "never below nothing"
    )
    page = inert(render(master, result_for(), graded_notebook(), marks=marks_of(late=Lateness(1, 0.0))))
    assert "You handed in 1 day late. That costs nothing." in page.text and "taken off" not in page.text


def test_who_handed_in_nothing_readable_reads_what_a_person_wrote(master):
    flags = [Note(Flag.UNREADABLE, "", {"reason": "other_format", "format": "a picture"})]
    result = result_for(status="unreadable", score=0.0, tests=[], flags=flags)
    marked = marks_of(
        status="unreadable",
        score=1.0,
        questions={"softmax": 0.0, "why_three": 1.0},
        by_people={"why_three": 1.0},
        comments={"why_three": "Read from your mail."},
    )
    page = inert(render(master, result, None, marks=marked))
    assert score_of(page) == "1 of 9 points" and "Read from your mail." in page.text
    assert "Not graded" in page.text and "Graded by hand: 1 of 4 points." in page.text


def test_a_cell_that_stopped_stands_above_the_names_that_it_did_not_define(master):
    result = result_for()
    lost = "name 'softmax' is not defined: no cell of the notebook defined it without an error"
    for test in result.tests:
        test.outcome, test.message, test.reason = "error", lost, TestReason.UNDEFINED
    stopped = new_output(
        "error", ename="SyntaxError", evalue="'(' was never closed (file.py, line 3)", traceback=[]
    )
    page = inert(render(master, result, graded_notebook("def softmax(x:", [stopped])))
    said = "Probable cause: Your cell stopped with SyntaxError: '(' was never closed (file.py, line 3). So nothing"
    assert page.text.count(said) == 2 and page.text.index(said) < page.text.index(lost)
    result.tests[0].reason = result.tests[1].reason = TestReason.RAISED
    assert "Probable cause" not in inert(render(master, result, graded_notebook("x", [stopped]))).text


def test_a_comment_is_text(master):
    marked = marks_of(comments={"why_three": HOSTILE + "\x1b[31m\u202e" + "long " * 10_000})
    page = inert(render(master, result_for(), graded_notebook(), marks=marked))
    assert (
        HOSTILE[:20] in page.text and "\x1b" not in page.text and "characters are left out here" in page.text
    )


def test_a_question_without_a_passed_test_takes_one_line(master):
    result = result_for()
    result.tests[0].outcome = "not_run"
    page = inert(render(master, result, graded_notebook()))
    assert "none of its 2 tests passed" in page.text
    assert page.links.count("#question-1-test-1") == 0 and "0 of 2 tests passed" in page.text


def test_repairs_are_grouped_and_bounded(master):
    repairs = [Note("metadata_restored", f"cell{i}") for i in range(100)] + [
        Note("brand_new"),
        Note("renamed_file", "", {"name": "my.ipynb"}),
    ]
    page = inert(render(master, result_for(status="repaired", repairs=repairs), graded_notebook()))
    assert "(100 times)" in page.text and "and 70 more" in page.text
    assert "Brand new." in page.text and "handed in as 'my.ipynb'" in page.text


def test_unreadable_says_what_was_wrong_and_what_to_do(master):
    result = result_for(
        status="unreadable",
        score=0.0,
        flags=[
            Note(Flag.UNREADABLE, "", {"reason": "cut_off"}),
            Note(Flag.SETUP_FAILED, "", {"error": "for the TA"}),
        ],
    )
    for test in result.tests:
        test.outcome, test.score = "not_run", 0.0
    page = inert(render(master, result, None))
    assert "The file was cut off" in page.text and "for the TA" not in page.text
    assert "Download .ipynb" in page.text and "Not graded" in page.text
    assert "Your code" not in page.text


def test_a_missing_notebook_costs_nobody_the_page(master):
    page = inert(render(master, result_for(), None))
    assert "Your marks are not affected" in page.text and "2 of 5" in page.text


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
    result = result_for(
        student=HOSTILE,
        repairs=[Note("renamed_file", HOSTILE, {"name": HOSTILE}), Note(HOSTILE)],
        hashes={"submission": HOSTILE},
    )
    result.receipts.update({HOSTILE: HOSTILE, "\u202egnp.ipynb": "0123456789ab"})
    result.tests[0].message = HOSTILE
    result.tests[0].outcome = HOSTILE
    result.tests[0].comparison = Comparison(
        *[HOSTILE] * 2, 1, 1, HOSTILE, [0, 0], [HOSTILE] * 2, [[HOSTILE]], [[HOSTILE]], [[True]]
    )
    result.questions[0].title = HOSTILE
    own = [new_markdown_cell(HOSTILE), new_code_cell(HOSTILE)]
    notebook = graded_notebook(HOSTILE, outputs, HOSTILE, own)
    text = render(master, result, notebook, HOSTILE)
    page = inert(text)
    assert "<script" not in text and "<svg" not in text
    assert page.text.count(HOSTILE) >= 19, "shown, as it was written"
    assert "[U+202E]gnp.ipynb" in page.text
    assert "49" not in page.text.replace(HOSTILE, "")
    assert "\x1b" not in text and "[31m" not in text


def test_metadata_of_the_wrong_type(master):
    notebook = graded_notebook()
    for value in ("x", 3, ["grade_id"], {"solution": True, "grade_id": None}):
        notebook.cells.append(nbformat.from_dict({**new_code_cell("own"), "metadata": {"nbgrader": value}}))
    inert(render(master, result_for(), notebook))


def test_pictures_are_png_and_nothing_else(master):
    good, later = png(), png(5, 5)
    outputs = [
        new_output("display_data", data={"image/png": good, "text/plain": "<Figure size 640x480>"}),
        new_output("display_data", data={"image/jpeg": good}),
    ]
    text = render(
        master,
        result_for(),
        graded_notebook(outputs=outputs, picture=[new_output("display_data", data={"image/png": later})]),
    )
    pictures = [attrs["src"] for tag, attrs in inert(text).tags if tag == "img"]
    assert [picture.split(",")[1] for picture in pictures] == [good, later]
    assert "Figure size" not in text and "only text and PNG pictures" in text


def test_png_is_read_strictly():
    import struct
    import zlib

    body = b"tEXt" + b"Comment\x00<script>"
    comment = struct.pack(">I", len(body) - 4) + body + struct.pack(">I", zlib.crc32(body))
    assert read_png(png(extra=comment)) == base64.b64decode(png()), "text chunks go"
    whole = base64.b64decode(png())
    assert read_png(base64.b64encode(whole + b"<script>").decode()) == whole, (
        "so does what stands behind the end"
    )
    assert read_png([png()[:10] + "\n", png()[10:]]) == whole, "nbformat's list of lines"
    assert read_png(base64.b64encode(whole[:-3]).decode()) is None
    assert read_png(base64.b64encode(whole[:40] + b"\xff" + whole[41:]).decode()) is None, "a wrong checksum"
    assert read_png(base64.b64encode(SIGNATURE + b"<script>").decode()) is None
    assert read_png(png(MAX_SIDE + 1, 1)) is None and read_png(png(9000, 9000)) is None
    for value in (None, 3, "", "é", "AAAA", {"a": 1}, [3], "\ud800"):
        assert read_png(value) is None


@pytest.mark.slow
def test_long_things_are_cut_and_the_page_is_bounded(master):
    outputs = [new_output("stream", text="a" * 3_000_000 + "THE END")]
    text = render(master, result_for(), graded_notebook(outputs=outputs))
    assert "2,990,007 characters are left out here; the end follows." in text and "THE END" in text
    big = png(1500, 1000)
    own = [
        new_code_cell(
            f"x = {i}\n" + "&" * 30_000, outputs=[new_output("display_data", data={"image/png": big})]
        )
        for i in range(60)
    ] + [new_code_cell("pass", outputs=[new_output("stream", text="\x00" * 50_000)]) for _ in range(2000)]
    result = result_for()
    result.tests[1].message = "<" * 1_000_000
    text = render(master, result, graded_notebook("\u202e" * 1_000_000, own=own))
    page = inert(text)
    assert len(text.encode()) < 8_000_000
    assert "no room for more pictures" in page.text and "no room for more" in page.text
    assert [tag for tag, _ in page.tags].count("img") == 1


def test_prints_in_pieces_become_one_output(master):
    outputs = [new_output("stream", text=f"{i}\n") for i in range(100)]
    page = inert(render(master, result_for(), graded_notebook(outputs=outputs)))
    assert "\n".join(map(str, range(100))) in page.text


def test_every_unseen_character_is_made_visible():
    for number in range(0x110000):
        char = chr(number)
        unseen = (
            unicodedata.category(char) in ("Cc", "Cf", "Cs", "Zl", "Zp") and char not in "\t\n\r\u200c\u200d"
        )
        if unseen:
            assert make_visible(char) == f"[U+{number:04X}]", hex(number)
    assert make_visible("é\t\U0001f469\u200d\U0001f4bb שלום") == "é\t\U0001f469\u200d\U0001f4bb שלום"


def test_printed_is_what_a_terminal_shows():
    assert terminal_text("\x1b[0;31mValueError\x1b[0m: no") == "ValueError: no"
    assert terminal_text("\x1b]0;title\x07text") == "text"
    assert terminal_text(" 1%\r 50%\r100%\r\ndone") == "100%\ndone"


def test_a_traceback_does_not_say_where_the_grader_lives(master):
    trace = "File \x1b[32m/srv/env/lib/python3.11/site-packages/numpy/core.py:232\x1b[39m, in ones\nFile /tmp/x.py"
    assert short_traceback(trace) == "File site-packages/numpy/core.py:232, in ones\nFile /tmp/x.py"
    error = new_output("error", ename="E", evalue="v", traceback=[trace])
    text = render(master, result_for(), graded_notebook(outputs=[error]))
    assert "/srv" not in text and "numpy/core.py:232" in text


@given(st.text(alphabet=st.characters(), max_size=300), st.integers(0, 200))
def test_cut_loses_only_what_it_says(text, limit):
    head, left_out, tail = shorten(text, limit)
    assert text.startswith(head) and text.endswith(tail)
    assert len(head) + left_out + len(tail) == len(text)
    assert len(head) + len(tail) <= limit


PAIRS = st.text(alphabet=st.characters(), max_size=200) | st.text(
    alphabet="<>&\"'/=!-{}%#\n\r\x00\u202e", max_size=60
)


@given(PAIRS, PAIRS, PAIRS)
@example("\x1f", "\x1f", "\x1f")  # white space to str.strip, but the page shows it
@example("", "\t", "")  # nothing to see is not shown
def test_any_text_stays_text(master, first, second, third):
    """In each place the parser gives back exactly the cleaned text, in a page with the usual tags."""
    result = result_for(student=first)
    result.tests[0].message = second
    text = render(master, result, graded_notebook(third, [new_output("stream", text=first)], second))
    page = inert(text)
    assert make_visible(first) in page.text
    assert make_visible(third) in page.text or not third.strip(" \t\r\n")
    assert make_visible(terminal_text(second).strip("\n")) in page.text or is_blank(terminal_text(second))


def test_the_documented_example_is_a_result():
    text = (Path(__file__).parent.parent / "docs" / "result.md").read_text(encoding="utf-8")
    example = re.search(r"```json\n(.*?)```", text, re.DOTALL)[1]
    result = Result.from_json(example)
    assert result.to_json() == example
    assert result.score == sum(test.score for test in result.tests)
    assert result.max_score == sum(test.points for test in result.tests)
    assert all(re.fullmatch("[0-9a-f]{64}", digest) for digest in result.hashes.values())
    for holder in (Result, QuestionResult, TestResult, Note):
        for item in fields(holder):
            assert f"| `{item.name}` |" in text, f"docs/result.md does not describe {item.name}"


@pytest.fixture
def course(tmp_path):
    (tmp_path / "course.toml").write_text(
        'title = "T"\n[repository]\nowner = "o"\nname = "n"\n'
        '[[weeks]]\nname = "week1_attention"\nnotebook = "attention"\n'
        'title = "Scaled dot-product attention"\nminutes = 90\n'
    )
    folder = tmp_path / "source" / "week1_attention"
    folder.mkdir(parents=True)
    nbformat.write(master_notebook(), folder / "attention.ipynb")
    return open_course(tmp_path)


def hand_in(course, student, result, notebook):
    folder = course.autograded(student, course.weeks[0])
    folder.mkdir(parents=True)
    (folder / "result.json").write_text(result.to_json(), encoding="utf-8")
    if notebook is not None:
        (folder / "attention.ipynb").write_text(json.dumps(notebook), encoding="utf-8")


def test_writes_the_page_where_nbgrader_would(course):
    week = course.weeks[0]
    student = "<b>& ünï"
    hand_in(course, student, result_for(student="someone else"), graded_notebook("x = '\ud800'"))
    path = write_feedback(course, week, student)
    assert path == course.root / "feedback" / student / "week1_attention" / "attention.html"
    text = path.read_text(encoding="utf-8")
    assert html.escape(student) in text and "someone else" not in text and "[U+D800]" in text
    assert write_feedback(course, week, student) == path, "a second time replaces it"
    assert [item.name for item in path.parent.iterdir()] == ["attention.html"], "nothing is left beside it"


def test_the_page_says_when_it_was_handed_in_and_graded(course):
    week = course.weeks[0]
    hand_in(course, "s07", result_for(), graded_notebook())
    path = write_feedback(course, week, "s07", marks_of(came=datetime(2027, 3, 7, 22, 59)))
    text = path.read_text(encoding="utf-8")
    assert f"{course.title} · week1_attention · handed in 2027-03-07 22:59 UTC · graded 20" in text
    later = timezone(timedelta(hours=1))
    due = msgspec.structs.replace(week, due=datetime(2027, 3, 8, tzinfo=later))
    text = write_feedback(course, due, "s07", marks_of(came=datetime(2027, 3, 7, 22, 59))).read_text()
    assert "handed in 2027-03-07 23:59 UTC+01:00" in text
    assert "handed in" not in write_feedback(course, week, "s07", marks_of()).read_text()


def test_a_failed_write_leaves_the_old_page(course, monkeypatch):
    week = course.weeks[0]
    hand_in(course, "s07", result_for(), graded_notebook())
    path = write_feedback(course, week, "s07")
    before = path.read_bytes()

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("os.replace", full)
    with pytest.raises(CourseError, match="No space left"):
        write_feedback(course, week, "s07")
    assert path.read_bytes() == before and len(list(path.parent.iterdir())) == 1


def test_refuses_what_it_cannot_answer(course):
    week = course.weeks[0]
    for name in ("", ".", "..", "a/b", "../s07", "a\x00b"):
        with pytest.raises(CourseError, match="folder"):
            write_feedback(course, week, name)
    with pytest.raises(CourseError, match="course grade week1_attention"):
        write_feedback(course, week, "nobody")


def test_a_damaged_graded_notebook_still_gives_a_page(course):
    hand_in(course, "s07", result_for(), None)
    (course.autograded("s07", course.weeks[0]) / "attention.ipynb").write_text('{"cells": [')
    assert "Your marks are not affected" in write_feedback(course, course.weeks[0], "s07").read_text(
        encoding="utf-8"
    )


def pages(pdf):
    return len(re.findall(rb"/Type\s*/Page\b", pdf))


@pytest.mark.slow
@pytest.mark.parametrize(("questions", "tells"), [(1, 1), (5, 1), (9, 3)])
def test_printed_the_first_page_is_the_summary_and_the_rest_comes_behind_it(
    chromium, tmp_path, questions, tells
):
    """A week as long as the longest of this course, in which every question fails and every cause is known."""
    notebook = master_notebook()
    one = notebook.cells[2:6]
    many = []
    for number in range(questions):
        cells = json.loads(json.dumps(one))
        cells[0]["source"] = f"### Question {number}. A heading as long as headings are"
        for cell in cells:
            cell["id"] += str(number)
            if "nbgrader" in cell["metadata"]:
                cell["metadata"]["nbgrader"]["grade_id"] += str(number)
        many += [nbformat.from_dict(cell) for cell in cells]
    notebook.cells[2:6] = many
    master = read_master(nbformat.writes(notebook).encode(), "week1_attention", "attention")
    result = result_for(
        questions=[QuestionResult(item.id, item.title, 0.0, item.max_score) for item in master.questions],
        tests=[
            TestResult(
                id=test,
                question=item.id,
                points=1.0,
                score=0.0,
                outcome="failed",
                message="no",
                hidden="hidden" in test,
                name="a name of sixty letters " * 3,
                trace=f"list(1) {test}",
            )
            for item in master.questions
            for test in item.tests
        ],
        repairs=[
            Note(kind, "softmax", {"title": "What was in it, in words. " * 4})
            for kind in list(messages.REPAIR)[:5]
        ],
        receipts={f"attention({number}).ipynb": "0123456789ab" for number in range(3)},
    )
    tell = (
        "A sentence that tells what the mistake is, long enough to need a second line on any paper there is."
    )
    mistakes = [
        Mistake(
            Answer(item.id, Path(f"wrong/{item.id}.py"), "", "", False, item.tests, tell),
            traces_of(result, item.id),
        )
        for item in master.questions
        for _ in range(tells)
    ]
    path = tmp_path / "page.html"
    path.write_text(render(master, result, None, "A title", marks_of(), mistakes), encoding="utf-8")
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
        assert (tell in shown) == (tells == 1), (
            "where there is no room for causes, they stand with their questions"
        )
        page.close()


# The lowest contrast of any element that holds text, against the nearest background that is not transparent.
CONTRAST = """() => {
  const parse = c => c.match(/[\\d.]+/g).map(Number);
  const light = c => {
    const linear = v => v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4;
    const [r, g, b] = c.slice(0, 3).map(v => linear(v / 255));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const found = [];
  for (const element of document.querySelectorAll('body, body *')) {
    if (![...element.childNodes].some(n => n.nodeType === 3 && n.data.trim())) continue;
    let behind = element, back;
    do { back = parse(getComputedStyle(behind).backgroundColor); behind = behind.parentElement; }
    while (behind && back.length === 4 && back[3] === 0);
    if (back.length === 4 && back[3] === 0) throw new Error('no background behind ' + element.tagName);
    const [a, b] = [light(parse(getComputedStyle(element).color)), light(back)];
    const contrast = (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
    found.push([contrast, element.tagName + '.' + element.className]);
  }
  return found;
}"""


@pytest.mark.parametrize(
    ("scheme", "scripts"), first(2, [("light", True), ("dark", False), ("light", False), ("dark", True)])
)
def test_in_a_browser(chromium, course, scripts, scheme):
    """Nothing runs, nothing is fetched, everything can be read, and the keyboard gets everywhere."""
    result = result_for(status="stopped", repairs=[Note("reordered", "softmax")])
    result.tests[0].outcome, result.tests[0].message = "error", HOSTILE
    table = [[HOSTILE] * 6] * 12
    result.tests[0].comparison = Comparison(
        *[HOSTILE] * 2, 72, 72, HOSTILE, [0, 0], [HOSTILE] * 2, table, table, [[True] * 6] * 12
    )
    evil = {"text/html": HOSTILE, "image/svg+xml": HOSTILE, "image/png": "AAAA"}
    outputs = [
        new_output("display_data", data=evil),
        new_output("stream", text=HOSTILE + "\n" + "long " * 4000),
        new_output("display_data", data={"image/png": png(40, 20)}),
    ]
    own = [new_markdown_cell(HOSTILE), new_code_cell("x" * 500, outputs=outputs)]
    result.receipts.update({"n" * 250 + ".ipynb": "0123456789ab", HOSTILE + ".ipynb": "ba9876543210"})
    student = "s07 onload=alert(1) <script>"
    hand_in(course, student, result, graded_notebook(HOSTILE, outputs, HOSTILE, own))
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
    assert page.title() == f"Scaled dot-product attention: feedback for {student}"
    assert page.locator("h1").all_inner_texts() == ["Scaled dot-product attention"]
    assert page.locator("h2").all_inner_texts() == [
        "Your score",
        "What to look at",
        "Score by question",
        "What was repaired in your notebook",
        "The softmax of a row",
        "Why three matrices?",
    ]
    for summary in page.locator("summary").all():
        summary.focus()
        page.keyboard.press("Enter")
    assert page.locator("img").count() == 2
    if scripts:  # playwright asks the page by script
        contrasts = page.evaluate(CONTRAST)
        assert len(contrasts) > 40
        assert not [item for item in contrasts if item[0] < 4.5]
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, "no sideways scrolling"
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
