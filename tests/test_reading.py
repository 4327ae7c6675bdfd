"""How much there is to read in a week, how long it takes, and what stands open."""

import json

import pytest
from small_course import ROOT, code, graded, markdown

from coursekit.authoring.lesson import reading
from coursekit.course.config import open_course
from coursekit.engine.shared.master import read_master

FOLDED = {"cellView": "form", "jupyter": {"source_hidden": True}}
TITLE = "# Week 1: Numbers\n\n| | reading and listening | 20 | |\n| | experiments | 4 | |\n"
TEST = graded("double_values", grade=True, points=2)


def master(*cells):
    kernel = {"kernelspec": {"display_name": "Python 3", "language": "python", "name": "python3"}}
    notebook = {"cells": list(cells), "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    return read_master(json.dumps(notebook).encode(), "week1_attention", "attention")


def lesson(*cells):
    solution = "def double(x):\n    ### BEGIN SOLUTION\n    return 2 * x\n    ### END SOLUTION"
    return master(
        markdown("title", TITLE),
        code("setup", "SEED = 9", tags=["setup"]),
        *cells,
        markdown("double-task", "### Question 1. Double"),
        code("double", solution, **graded("double", solution=True)),
        code("double-values", "# @title Test: values\nassert double(2) == 4", **TEST, **FOLDED),
    )


def core(*cells):
    return reading.core_words(lesson(*cells)) - reading.core_words(lesson())


@pytest.mark.parametrize(
    ("text", "count"),
    [
        ("One word, two words; it's three.", 6),
        ("The weights $w_i = e^{x_i}$ are positive.", 4),
        ("Before\n$$ x = \\text{no words at all} $$\nafter", 2),
        ("```\nno words\n```\nsome words", 2),
        ("See [the page](https://example.org/with/words) twice.", 4),
        ('<img src="no words" alt="none"/> nothing else', 2),
        ("It costs $5, and later $7 more", 5),
        ("| a | table |\n| --- | --- |\n| of | 4 words |", 4),
        ("naïve Übung 猫", 3),
    ],
)
def test_words_are_those_that_are_read(text, count):
    assert reading.words(text) == count


def test_what_is_folded_is_not_of_the_core():
    for summary in ("Read", "Hint 1: the idea", "Optional: more", "What came out, and why"):
        assert (
            core(
                markdown(
                    "x", f"three words here\n<details><summary>{summary}</summary>\n\nnot these\n\n</details>"
                )
            )
            == 3
        )
    assert (
        core(
            markdown(
                "x",
                "<details><summary>A</summary>no</details> one <details><summary>B</summary>no</details> two",
            )
        )
        == 2
    )


def test_a_long_core_is_a_problem():
    short, long = (markdown("x", "word " * count) for count in (2400, 2600))
    assert reading.check_core(lesson(short)) == []
    (problem,) = reading.check_core(lesson(long))
    assert problem.startswith(f"the core has {reading.core_words(lesson(long))} words; at most 2500 may be")


def test_long_code_is_folded_or_split():
    long = "\n".join(f"x{number} = {number}" for number in range(16))
    assert reading.check_core(lesson(code("given", long.rpartition("\n")[0]))) == []
    assert reading.check_core(lesson(code("given", long, **FOLDED))) == []
    (problem,) = reading.check_core(lesson(code("given", long)))
    assert problem.startswith("cell given has 16 lines and is not folded")
    (half,) = reading.check_core(lesson(code("given", long, cellView="form")))  # folded on Colab alone
    assert half == problem


@pytest.mark.parametrize("change", ["open", "no_title"])
def test_a_test_is_folded_under_its_title(change):
    notebook = json.loads(json.dumps(lesson().notebook))
    cell = notebook["cells"][-1]
    assert reading.check_core(master(*notebook["cells"])) == []
    if change == "open":
        del cell["metadata"]["jupyter"]
    else:
        cell["source"] = cell["source"].replace("@title ", "")
    assert reading.check_core(master(*notebook["cells"])) == [
        "test double_values is not folded under `# @title Test: ...`"
    ]


def experiment(lead, words):
    return [
        markdown("coin-why", lead),
        code("guess-coin", 'my_guess = "…"  # @param ["…", "few", "many"]', cellView="form"),
        code("coin", '# @title Experiment: a coin\nbeside_guess(my_guess, "few")', **FOLDED),
        markdown(
            "coin-said", f"<details><summary>What came out</summary>\n\n{'word ' * words}\n\n</details>"
        ),
    ]


def test_minutes_are_reckoned():
    course = open_course(ROOT)
    week = course.week("week1_attention")
    nothing = reading.reckon(course, week, lesson())
    assert 5 < nothing.reading < 20  # the week's narration
    read = reading.reckon(course, week, lesson(markdown("x", "word " * 1000)))
    assert read.reading - nothing.reading == pytest.approx(5)
    some = reading.reckon(course, week, lesson(*experiment("**Experiment: a coin.**", 197)))
    assert (some.experiments, some.optional) == (3, 0)
    behind = "<details><summary>Optional: a coin</summary>\n\n**Experiment: a coin.** "
    other = reading.reckon(course, week, lesson(*experiment(f"{behind}{'word ' * 397}</details>", 397)))
    assert (other.experiments, other.optional) == (0, pytest.approx(2 + 2 + 2))
    assert other.reading == nothing.reading


def test_stated_minutes_are_held_to_a_few_per_cent():
    course = open_course(ROOT)
    week = course.week("week1_attention")
    cells = [*experiment("**Experiment: a coin.**", 400)]
    needed = 200 * (20 - reading.reckon(course, week, lesson(*cells)).reading)
    fits = [*cells, markdown("x", "word " * round(needed))]
    assert reading.check_time(course, week, lesson(*fits)) == []
    (short,) = reading.check_time(course, week, lesson(*fits, markdown("y", "word " * 800)))
    assert short == "the first cell says 20 minutes for reading and listening; it takes about 24"
    (missing,) = reading.check_time(
        course,
        week,
        lesson(*fits, markdown("y", f"<details><summary>Optional: x</summary>{'word ' * 500}</details>")),
    )
    assert missing == "the first cell says 0 minutes for what is optional; it takes about 2"
