"""The form of a lesson: each rule broken once is reported, and a lesson that keeps it is not."""

import base64
import io
import json
import sys

import nbformat
import pytest
from PIL import Image
from small_course import (
    ROOT,
    code,
    copy_course,
    graded,
    make_course,
    markdown,
    notebook_of,
    write_answer,
    write_source,
)

from coursekit.authoring.checks.execution import NotebookRun, execute
from coursekit.authoring.lesson import form, narration, played
from coursekit.course.config import open_course
from coursekit.engine.shared.master import read_master

COURSE = open_course(ROOT)
WEEK = COURSE.weeks[0]
SOURCE = COURSE.notebook(WEEK)


def of_week(check):
    """A check that takes the course and the week, as one that takes the master alone."""
    return lambda master: check(COURSE, WEEK, master)


TITLE, NARRATION, SPELLING = map(of_week, (form.check_title, narration.check_narration, form.check_spelling))
CASES = [
    (TITLE, "title", "145 minutes", "80 minutes", "lacks '**Time:** about 145 minutes'"),
    (TITLE, "title", "| 15 | 6 |", "| 15 | 7 |", "the questions give"),
    (TITLE, "title", "| 25 | 11 |", "| 26 | 11 |", "without what is optional, add up to 146, not 145"),
    (TITLE, "title", "blob/main/", "blob/main/source/", "lacks 'https://colab"),
    (form.check_questions, "softmax-task", "6 points*", "5 points*", "says 5 points; its cells have 6"),
    (form.check_questions, "softmax-task", "minutes, diff", "minutes; diff", "has no line"),
    (form.check_questions, "softmax-task", "Question 1.", "Question 2.", "has the heading"),
    (form.check_questions, "softmax-task", "Hint 3", "Tip 3", "fewer than 3 hints"),
    (form.check_questions, "three-task", "| points | for |", "| for |", "has no rubric"),
    (form.check_refused, "softmax-task", "`numpy.logaddexp`", "it", "does not say in its text that `numpy.logaddexp`"),
    (form.check_refused, "softmax_rows", ', "numpy.logaddexp"', "", 'has `with refusing(softmax, "numpy.logaddexp")`'),
    (form.check_headings, "softmax-task", None, "\n##### Deep", "does not fit below"),
    (form.check_headings, "title", None, "\n\n## 3. Early", "should be number 1"),
    (form.check_stubs, "softmax", '"week 1, softmax: ', '"week 2, softmax: ', "not `week 1, softmax"),
    (form.check_tests_end, "softmax_rows", None, "\npass", "does not end with print"),
    (form.check_device, "leak-experiment", None, "\ny = torch.zeros(3)", "torch.zeros makes a tensor on the CPU"),
    (form.check_device, "leak-experiment", None, "\nx = torch.zeros(2, device=device)", ""),
    (form.check_device, "leak-experiment", None, "\nx = torch.randn(2, generator=generator).to(device)", ""),
    (form.check_device, "leak-experiment", None, "\nself.register_buffer('table', torch.zeros(2))", ""),
    (form.check_device, "leak-experiment", None, "\nx = nn.Parameter(torch.ones(3))", ""),
    (form.check_device, "leak-experiment", None, "\nx = torch.zeros_like(y)", ""),
    (NARRATION, "softmax-task", None, "\n## 9. New", ""),
    (NARRATION, "softmax-task", "###", "## 9. New\n###", "is not a listening cell"),
    (SPELLING, "title", None, "\nteh", "teh ==> the"),
]  # fmt: skip


@pytest.mark.parametrize(("check", "key", "old", "new", "sentence"), CASES)
def test_each_rule(check, key, old, new, sentence):
    """The first week keeps it, and breaks it (or still keeps it) when one cell is changed, or has more at its end."""
    notebook = json.loads(SOURCE)
    assert list(check(read_master(SOURCE, WEEK.name, WEEK.notebook))) == []
    for cell in notebook["cells"]:
        if key in (cell["id"], cell["metadata"].get("nbgrader", {}).get("grade_id")):
            text = "".join(cell["source"])
            assert old is None or old in text
            cell["source"] = text + new if old is None else text.replace(old, new)
    problems = "\n".join(check(read_master(json.dumps(notebook).encode(), WEEK.name, WEEK.notebook)))
    assert sentence in problems and bool(sentence) == bool(problems)


def test_scripts(tmp_path):
    """One that is missing, too short, unspeakable, not prose, not UTF-8, or unused."""
    course = copy_course(tmp_path, "source", "narration", ignore="*.mp3")
    master = course.master(WEEK)
    folder = tmp_path / "narration" / WEEK.name
    first, second, third, fourth, fifth, sixth = sorted(folder.glob("*.md"))[:6]
    sixth.write_text(sixth.read_text() + "softmax, √d_k")  # the lexicon says how
    assert list(narration.check_narration(course, WEEK, master)) == []
    first.unlink()
    second.write_text("Too short.")
    third.write_text(third.read_text() + " x² costs 5 €")
    fourth.write_text("# Title\n\n" + fourth.read_text())
    fifth.write_bytes(b"caf\xe9")
    (folder / "99_nobody.md").write_text("word " * 70)
    problems = list(narration.check_narration(course, WEEK, master))
    for sentence in (
        f"{first.name} cannot be read: No such file",
        f"{second.name} has 2 words",
        f"{third.name} holds ² €",
        f"{fourth.name} has a heading",
        f"{fifth.name} is not UTF-8 text",
        "99_nobody.md belongs to no listening cell",
    ):
        assert any(sentence in problem for problem in problems), problems


def test_a_helper_that_differs_between_weeks(tmp_path):
    settings, first, *_ = (ROOT / "course.toml").read_text().split("[[weeks]]")
    second = first.replace("week1_attention", "week2_other")
    (tmp_path / "course.toml").write_text(f"{settings}[[weeks]]{first}[[weeks]]{second}")
    course = open_course(tmp_path)
    for data, sentence in ((SOURCE, ""), (SOURCE.replace(b"atol=1e-6", b"atol=1e-3"), "check_close differs")):
        for week, notebook in zip(course.weeks, (SOURCE, data), strict=True):
            course.source(week).parent.mkdir(parents=True, exist_ok=True)
            course.source(week).write_bytes(notebook)
        problems = "\n".join(form.check_shared(course, course.weeks[1]))
        assert sentence in problems and bool(sentence) == bool(problems)


def test_a_small_bank_is_reported(tmp_path):
    course, week = make_course(tmp_path)
    write_answer(course, "right/double_one", "def double(x):\n    return 2 * x\n")
    write_answer(course, "wrong/double_one", "def double(x):\n    return x * x\n", "double_values")
    (problem,) = form.check_bank(course, week, course.master(week))
    assert problem.startswith("question double has 1 right and 1 wrong answers in the bank")


def test_a_wrong_answer_that_does_not_say_what_it_deserves_is_reported(tmp_path):
    course, week = make_course(tmp_path)
    write_answer(course, "right/double_one", "def double(x):\n    return 2 * x\n")
    write_answer(course, "wrong/double_one", "def double(x):\n    return x * x\n", "double_values")
    assert list(form.check_costs(course, week)) == ["wrong/double_one has no lines Mistakes and Deserves"]
    stated = "You square.\nMistakes: slip\nDeserves: 60 %"
    write_answer(course, "wrong/double_one", "def double(x):\n    return x * x\n", "double_values", stated)
    assert list(form.check_costs(course, week)) == []


def test_spelling_without_its_tool_is_a_problem(tmp_path, monkeypatch):
    course, week = make_course(tmp_path)
    master = course.master(week)
    assert form.check_spelling(course, week, master) == []
    write_source(tmp_path, [markdown("intro", "# Week 1\n\nTeh weights.")])
    assert "spelling: Teh ==> The" in form.check_spelling(course, week, course.master(week))
    (tmp_path / "pyproject.toml").write_text("[tool.codespell]\nignore-words = 'nowhere.txt'\n")
    (problem,) = form.check_spelling(course, week, master)
    assert problem.startswith("codespell could not check the spelling: ") and "nowhere.txt" in problem
    empty = tmp_path / "no-python"
    empty.write_text("#!/bin/sh\necho /usr/bin/python: No module named codespell_lib >&2\nexit 1\n")
    empty.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(empty))
    (problem,) = form.check_spelling(course, week, master)
    assert "No module named codespell_lib" in problem and "requirements.txt" in problem


def test_the_file_itself(tmp_path):
    course, week = make_course(tmp_path)
    (tmp_path / "answers" / week.name / "right").mkdir(parents=True)
    path = course.source(week)
    notebook = json.loads(path.read_text())
    assert list(form.check_file(course, week, course.master(week))) == []
    notebook["cells"][0]["source"] += "caf\u00c3\u00a9"
    notebook["cells"][0]["metadata"]["execution"] = {"iopub.execute_input": "2026-01-01T00:00:00Z"}
    notebook["cells"].append(markdown("long", "x" * form.MAX_BYTES))
    path.write_text(json.dumps(notebook, ensure_ascii=False), encoding="utf-8")
    problems = "\n".join(form.check_file(course, week, course.master(week)))
    for sentence in ("broken characters", "metadata holds execution", "at most 340 kB"):
        assert sentence in problems


# Runs in a real kernel

PICTURE = "import matplotlib.pyplot as plt\nfig, ax = plt.subplots()\nax.set_title({title!r})\n"
WIDE = "fig.set_size_inches(12, 2)\nax.text(0, 0, 'x', size=8)\nprint('x')"


def test_what_a_run_shows():
    sources = {
        "good": PICTURE.format(title="Weights, untrained") + "print('words')",
        "bare": PICTURE.format(title="Weights"),
        "wide": PICTURE.format(title="Wide, a drawing") + WIDE,
    }
    run = execute(notebook_of(*(code(name, source) for name, source in sources.items())))
    (picture,) = [
        output.data["image/png"] for cell, output in run.outputs if cell == "wide" and "data" in output
    ]
    pixels = Image.open(io.BytesIO(base64.b64decode(picture))).width
    problems = "\n".join(played.check_figures(run))
    for sentence in (
        "the notebook shows 3 figures",
        "the figure of cell bare has no text",
        "no title of the figure of cell bare says",
        f"the figure of cell wide is {pixels} pixels wide; more than 920 would be shrunk",
        "the smallest text in the figure of cell wide is 8 points; at least 9 are wanted",
    ):
        assert sentence in problems
    assert "good" not in problems


def test_what_tests_and_stubs_say():
    double = code("double", "", **graded("double", solution=True))
    values = code("double-values", "", **graded("double_values", grade=True, points=1))
    master = read_master(notebook_of(double, values), "week1_small", "small")

    def passing(text):
        output = nbformat.v4.new_output("stream", text=text)
        return played.check_tests_say(NotebookRun(outputs=[("double-values", output)]), master)

    def raising(message):
        output = nbformat.v4.new_output("error", ename="NotImplementedError", evalue=message)
        return played.check_stubs_say(NotebookRun(outputs=[("double", output)]), master)

    assert passing("double_values: passed\n") == [] == raising("week 1, double: give back twice x")
    assert passing("") == ["test double_values does not print that it passed"]
    wrong = "week 2, double: give back twice x"
    assert raising(wrong) == [f"unfilled, cell double raises NotImplementedError: {wrong}"]
