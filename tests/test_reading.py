"""How much there is to read in a week, how long it takes, and what is not folded."""

import pytest
from small_course import ROOT, code, graded, markdown, master_of

from coursekit.authoring.lesson.reading import (
    check_core,
    check_time,
    count_core_words,
    count_words,
    estimated_minutes,
)
from coursekit.course.config import open_course

COURSE = open_course(ROOT)
WEEK = COURSE.week("week1_attention")
FOLDED = {"cellView": "form", "jupyter": {"source_hidden": True}}
TITLE = "# Week 1: Numbers\n\n| | reading and listening | 20 | |\n| | experiments | 4 | |\n"
SOLUTION = "def double(x):\n    ### BEGIN SOLUTION\n    return 2 * x\n    ### END SOLUTION"


def text(source):
    return markdown("text", source)


def details(summary, source):
    return f"<details><summary>{summary}</summary>\n\n{source}\n\n</details>"


def lesson(*cells, test="# @title Test: values\nassert double(2) == 4", test_metadata=FOLDED):
    is_test = graded("double_values", grade=True, points=2)
    return master_of(
        markdown("title", TITLE),
        code("setup", "SEED = 9", tags=["setup"]),
        *cells,
        markdown("double-task", "### Question 1. Double"),
        code("double", SOLUTION, **graded("double", solution=True)),
        code("double-values", test, **is_test, **test_metadata),
    )


def minutes(*cells):
    return list(estimated_minutes(COURSE, WEEK, lesson(*cells)).values())


@pytest.mark.parametrize(
    ("markdown", "count"),
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
def test_words_are_those_that_are_read(markdown, count):
    assert count_words(markdown) == count


@pytest.mark.parametrize("summary", ["Read", "Hint 1: the idea", "Optional: more", "What came out, and why"])
def test_what_is_inside_details_is_not_of_the_core(summary):
    source = f"three words here\n{details(summary, 'not these')} and {details('B', 'no')} two"
    assert count_core_words(lesson(text(source))) - count_core_words(lesson()) == 5


def test_a_long_core_is_a_problem():
    assert list(check_core(lesson(text("word " * 2400)))) == []
    long = lesson(text("word " * 2600))
    (problem,) = check_core(long)
    assert problem.startswith(f"the core has {count_core_words(long)} words; at most 2500 may be")


@pytest.mark.parametrize(
    ("lines", "metadata", "reported"),
    [(15, {}, False), (16, FOLDED, False), (16, {}, True), (16, {"cellView": "form"}, True)],
)
def test_long_code_is_folded_or_split(lines, metadata, reported):
    source = "\n".join(f"x{number} = {number}" for number in range(lines))
    problem = "\n".join(check_core(lesson(code("given", source, **metadata))))
    assert problem.startswith("cell given has 16 lines and is not folded") == bool(problem) == reported


@pytest.mark.parametrize(
    "change",
    [{"test_metadata": {"cellView": "form"}}, {"test": "# Test: values\nassert double(2) == 4"}],
)
def test_a_test_is_folded_under_its_title(change):
    problem = "test double_values is not folded under `# @title Test: ...`"
    assert list(check_core(lesson(**change))) == [problem]


def experiment(lead, words):
    return [
        markdown("coin-why", lead),
        code("guess-coin", 'my_guess = "…"  # @param ["…", "few", "many"]', cellView="form"),
        code("coin", '# @title Experiment: a coin\nbeside_guess(my_guess, "few")', **FOLDED),
        markdown("coin-said", details("What came out", "word " * words)),
    ]


def test_minutes_are_estimated():
    reading, *others = minutes()
    assert 5 < reading < 20 and others == [0, 0]  # the week's narration
    assert minutes(text("word " * 1000)) == [pytest.approx(reading + 5), 0, 0]
    assert minutes(*experiment("**Experiment: a coin.**", 197))[1:] == [3, 0]
    optional = details("Optional: a coin", "**Experiment: a coin.** " + "word " * 397)
    assert minutes(*experiment(optional, 397)) == [reading, 0, pytest.approx(2 + 2 + 2)]


def test_stated_minutes_may_differ_by_a_few_per_cent():
    cells = experiment("**Experiment: a coin.**", 400)
    fits = [*cells, text("word " * round(200 * (20 - minutes(*cells)[0])))]
    for more, problems in (
        ("", []),
        ("word " * 800, ["the first cell says 20 minutes for reading and listening; it takes about 24"]),
        (
            details("Optional: x", "word " * 500),
            ["the first cell says 0 minutes for what is optional; it takes about 2"],
        ),
    ):
        assert check_time(COURSE, WEEK, lesson(*fits, markdown("more", more))) == problems
