"""A written answer is found where the student typed it, if its own cell was left as it was."""

import json

import pytest
from small_course import cells, code, graded, markdown, master_of, triple_cells

from coursekit.engine.reader.repair import rebuild
from coursekit.engine.shared.master import fill

HEADING = (
    "### Why a sum?\n\nSay in two sentences why twice a number is a sum. *Think of the number line.*\n\n"
    "| say | $x$ |\n\nEnd."
)
NEXT = (
    "### How fast?\n\nSay how many additions it takes, and see [the picture](https://example.org/steps.png)."
)
CELLS = [
    *[cell for cell in cells() if cell["id"] != "why-heading"][:-1],
    markdown("why-heading", HEADING),
    markdown("why", "A model answer.", **graded("why", grade=True, solution=True, points=4)),
    code("draw", "# @title Draw it, please, as one long line.\nprint('a line')"),
    markdown("how-heading", NEXT),
    markdown("how", "One.", **graded("how", grade=True, solution=True, points=2)),
    *triple_cells(),
]
MASTER = master_of(*CELLS)
RELEASE = json.loads(fill(MASTER, {}))
WORDS = "A number and itself lie twice as far from zero."


def handed_in(change, **answers):
    notebook = json.loads(fill(MASTER, answers))
    change(notebook["cells"])
    return rebuild(MASTER, json.dumps(notebook).encode())


def place(found, name):
    return next(position for position, cell in enumerate(found) if cell["id"] == name)


def answer(draft, question):
    return next(item for item in draft.cells if item.master and item.master.grade_id == question)


def words_of(draft):
    """{question: words} of the written questions that count as answered."""
    return {name: item.source for name in ("why", "how") if (item := answer(draft, name)).touched}


def typed(name, text, before=False):
    """Words typed at the end, or at the beginning, of a cell."""

    def change(found):
        cell = found[place(found, name)]
        cell["source"] = f"{text}{cell['source']}" if before else f"{cell['source']}{text}"

    return change


def replaced(name, old, new):
    def change(found):
        cell = found[place(found, name)]
        assert old in cell["source"]
        cell["source"] = cell["source"].replace(old, new)

    return change


def inserted(name, cell, above=False):
    return lambda found: found.insert(place(found, name) + (not above), cell)


def without_names(change):
    """The same, after a program removed all that cells can be known by."""

    def both(found):
        change(found)
        for cell in found:
            cell["metadata"] = {}
            cell.pop("id")

    return both


def in_databricks(found):
    for cell in found:
        if cell["cell_type"] == "markdown":
            if cell["id"] == "why":
                cell["source"] = WORDS
            cell |= {"cell_type": "code", "source": f"%md\n{cell['source']}", "outputs": []}
        cell["metadata"] = {"application/vnd.databricks.v1+cell": {"title": "", "showTitle": False}}
        cell.pop("id")


def in_pieces(found):
    """Each paragraph in a cell of its own, and no names, as Deepnote has it."""
    for cell in list(found):
        if cell["cell_type"] == "markdown":
            position = found.index(cell)
            parts = cell["source"].split("\n\n") + ([WORDS] if cell["id"] == "why-heading" else [])
            found[position : position + 1] = [
                {"cell_type": "markdown", "metadata": {"deepnote_cell_type": "text-cell-p"}, "source": part}
                for part in parts
            ]
    for cell in found:
        cell["metadata"].pop("nbgrader", None)
        cell.pop("id", None)


FOUND = {
    "at the end of the question's text": (typed("why-heading", f"\n\n{WORDS}"), "words_in_given_text"),
    "below the question's table": (
        replaced("why-heading", "$ |\n\n", f"$ |\n\n{WORDS}\n\n"),
        "words_in_given_text",
    ),
    "on the question's last line": (typed("why-heading", f" {WORDS}"), "words_in_given_text"),
    "above the question's text": (typed("why-heading", f"{WORDS}\n\n", True), "words_in_given_text"),
    "inside the question's text": (
        replaced("why-heading", "a sum. *", f"a sum. {WORDS} *"),
        "words_in_given_text",
    ),
    "in the question's text, which has lost its names": (
        without_names(typed("why-heading", f"\n\n{WORDS}")),
        "",
    ),
    "in a new text cell below": (inserted("why", markdown("new", WORDS)), "answer_found_elsewhere"),
    "in a new text cell above": (
        inserted("why", markdown("new", WORDS), above=True),
        "answer_found_elsewhere",
    ),
    "above the question": (
        inserted("why-heading", markdown("new", WORDS), above=True),
        "answer_found_elsewhere",
    ),
    "in a raw cell": (
        inserted("why", {"cell_type": "raw", "id": "new", "metadata": {}, "source": WORDS}),
        "answer_found_elsewhere",
    ),
    "in a code cell, as they are": (inserted("why", code("new", WORDS)), "answer_found_elsewhere"),
    "as a comment": (inserted("why", code("new", f"# {WORDS}")), "words_in_code"),
    "as a comment in a form": (inserted("why", code("new", f"# @title {WORDS}")), "words_in_code"),
    "as a string": (inserted("why", code("new", f'"""\n{WORDS}\n"""')), "words_in_code"),
    "printed": (inserted("why", code("new", f'print("{WORDS}")')), "words_in_code"),
    "printed in pieces": (
        inserted("why", code("new", 'print("A number and itself lie "\n + "twice as far" + " from zero.")')),
        "words_in_code",
    ),
    "printed with a value": (
        inserted("why", code("new", 'print(f"A number and itself lie {1 + 1}twice as far from zero.")')),
        "words_in_code",
    ),
    "written to a file": (
        inserted("why", code("new", f"%%writefile answer.txt\n{WORDS}")),
        "words_in_code",
    ),
    "as text of a form": (inserted("why", code("new", f"# @markdown {WORDS}")), "words_in_code"),
    "displayed": (
        inserted("why", code("new", f'from IPython.display import *\ndisplay(Markdown("{WORDS}"))')),
        "words_in_code",
    ),
    "given a name": (inserted("why", code("new", f'answer = "{WORDS}"')), "words_in_code"),
    "as a docstring": (inserted("why", code("new", f'def why():\n    """{WORDS}"""')), "words_in_code"),
    "as a comment above other code": (
        inserted("why", code("new", f"# {WORDS}\nprint(double(4))")),
        "words_in_code",
    ),
    "as a comment in a given cell": (typed("draw", f"\n# {WORDS}"), "words_in_code"),
    "for IPython": (inserted("why", code("new", f"%%markdown\n{WORDS}")), "answer_found_elsewhere"),
    "for Databricks": (inserted("why", code("new", f"%md {WORDS}")), "answer_found_elsewhere"),
    "in a notebook from Databricks": (in_databricks, "metadata_restored"),
    "in a notebook from Deepnote": (in_pieces, ""),
}


@pytest.mark.parametrize(("change", "repair"), FOUND.values(), ids=FOUND)
def test_words_are_found(change, repair):
    draft = handed_in(change)
    assert words_of(draft) == {"why": WORDS}
    assert not repair or repair in {note.kind for note in draft.repairs if note.cell == "why"}


def test_words_in_the_next_heading_and_in_the_next_answer_are_of_the_question_above():
    below = f"# {WORDS}\n"
    assert words_of(handed_in(typed("how-heading", f"{WORDS}\n\n", True), how="One.")) == {
        "why": WORDS,
        "how": "One.",
    }
    assert words_of(handed_in(typed("triple", below, True), why="Because.")) == {
        "why": "Because.",
        "how": WORDS,
    }


def test_words_are_not_given_to_two_questions():
    draft = handed_in(typed("how-heading", f"\n\n{WORDS}"))
    assert words_of(draft) == {"how": WORDS}


@pytest.mark.parametrize("name", ["why-heading", "how-heading"])
def test_an_answer_stays_as_it_is_whatever_is_near(name):
    draft = handed_in(typed(name, f"\n\n{WORDS}"), why="Because.", how="One.")
    assert words_of(draft) == {"why": "Because.", "how": "One."} and draft.repairs == []


def test_the_given_text_stays_the_courses():
    draft = handed_in(typed("why-heading", f"\n\n{WORDS}"))
    assert next(item.source for item in draft.cells if item.source.startswith("### Why")) == HEADING


def test_words_in_several_places_are_all_kept():
    first, second = "Twice as far.", "So it is a sum."

    def change(found):
        typed("why-heading", f" {first}")(found)
        inserted("why", markdown("new", second))(found)

    draft = handed_in(change)
    assert sorted(answer(draft, "why").source.split("\n\n")) == sorted([first, second])
    assert {note.kind for note in draft.repairs} == {"words_in_given_text", "answer_found_elsewhere"}


NOTHING = {
    "nothing": lambda found: None,
    "a published address": replaced("how-heading", "example.org/steps", "uni.example.org/course/steps"),
    "other Markdown": replaced("why-heading", "*Think of the number line.*", "_Think of\nthe number  line._"),
    "a remark on code": inserted("why", code("new", "# check\nprint(double(4))")),
    "code that was switched off": inserted("why", code("new", "# print(double(4), double(5), double(6))")),
    "a comment in another question's cell": replaced(
        "triple", "raise", "# Three times a number is a sum of three.\n    raise"
    ),
    "a copy of the question": inserted("why", markdown("new", HEADING)),
    "a copy of the stub": inserted("why", markdown("new", "YOUR ANSWER HERE")),
    "a module written to a file": inserted(
        "why", code("new", "%%writefile utils.py\ndef first_of(numbers):\n    return numbers[0]")
    ),
    "words far away": inserted("intro", markdown("new", WORDS)),
    "an empty cell for IPython": inserted("why", code("new", "%%markdown\n")),
}  # fmt: skip


@pytest.mark.parametrize("change", NOTHING.values(), ids=NOTHING)
def test_nothing_is_found_where_nothing_was_written(change):
    assert words_of(handed_in(change)) == {}


@pytest.mark.parametrize("short", ["yes", "B", "42", "x > 0", "True", '"yes"', "# yes", 'print("yes")'])
def test_a_short_answer_in_a_code_cell_of_its_own_is_found(short):
    assert "why" in words_of(handed_in(inserted("why", code("new", short))))


def test_code_with_the_name_of_its_language_runs():
    draft = handed_in(
        replaced("double", "def double", "%python\ndef double"), double="def double(x):\n    return 2 * x"
    )
    assert answer(draft, "double").source.startswith("def double")


@pytest.mark.parametrize("edit", ["", "\nx = 1"])
def test_a_given_string_with_values_is_not_the_students(edit):
    drawing = "found = 3\nprint(f'{found} of the lines that were drawn are long')"
    master = master_of(*[code("draw", drawing) if cell["id"] == "draw" else cell for cell in CELLS])
    notebook = json.loads(fill(master, {}))
    typed("draw", edit)(notebook["cells"])
    assert words_of(rebuild(master, json.dumps(notebook).encode())) == {}


@pytest.mark.parametrize("edit", ["", "\nx = 1"])
def test_the_title_of_a_given_code_cell_is_not_the_students(edit):
    title = code("player", "# @title Listen: a sum, and why it is one (about a minute)\nprint('a player')")
    notebook = json.loads(fill(master := master_of(*CELLS[: -len(triple_cells())], title), {}))
    notebook["cells"][-1]["source"] += edit
    assert words_of(rebuild(master, json.dumps(notebook).encode())) == {}
