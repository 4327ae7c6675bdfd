"""A written answer is found where the student typed it, if its own cell was left as it was."""

import pytest
from drafts import answer, by_id, handed_in, inserted
from small_course import cells, code, graded, markdown, master_of, triple_cells

from coursekit.engine.reader.repair import rebuild

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
WORDS = "A number and itself lie twice as far from zero."


def repaired(change, **answers):
    return rebuild(MASTER, handed_in(MASTER, change, answers))


def words_of(draft):
    """{question: words} of the written questions that count as answered."""
    return {name: item.source for name in ("why", "how") if (item := answer(draft, name)).touched}


def typed(name, text, before=False):
    """Words typed at the end, or at the beginning, of a cell."""

    def change(found):
        cell = by_id(found, name)
        cell["source"] = f"{text}{cell['source']}" if before else f"{cell['source']}{text}"

    return change


def with_words(name, old, new):
    def change(found):
        cell = by_id(found, name)
        assert old in cell["source"]
        cell["source"] = cell["source"].replace(old, new)

    return change


def in_code(source):
    """A new code cell below the question."""
    return inserted("why", code("new", source))


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


NEW = markdown("new", WORDS)
# {repair: {where the words are: change}}
FOUND = {
    "words_in_given_text": {
        "at the end of the question's text": typed("why-heading", f"\n\n{WORDS}"),
        "below the question's table": with_words("why-heading", "$ |\n\n", f"$ |\n\n{WORDS}\n\n"),
        "on the question's last line": typed("why-heading", f" {WORDS}"),
        "above the question's text": typed("why-heading", f"{WORDS}\n\n", True),
        "inside the question's text": with_words("why-heading", "a sum. *", f"a sum. {WORDS} *"),
    },
    "answer_found_elsewhere": {
        "in a new text cell below": inserted("why", NEW),
        "in a new text cell above": inserted("why", NEW, above=True),
        "above the question": inserted("why-heading", NEW, above=True),
        "in a raw cell": inserted("why", NEW | {"cell_type": "raw"}),
        "in a code cell, as they are": in_code(WORDS),
        "for IPython": in_code(f"%%markdown\n{WORDS}"),
        "for Databricks": in_code(f"%md {WORDS}"),
    },
    "words_in_code": {
        "as a comment": in_code(f"# {WORDS}"),
        "as a comment in a form": in_code(f"# @title {WORDS}"),
        "as text of a form": in_code(f"# @markdown {WORDS}"),
        "as a string": in_code(f'"""\n{WORDS}\n"""'),
        "printed": in_code(f'print("{WORDS}")'),
        "printed in pieces": in_code('print("A number and itself lie "\n + "twice as far" + " from zero.")'),
        "printed with a value": in_code('print(f"A number and itself lie {1 + 1}twice as far from zero.")'),
        "written to a file": in_code(f"%%writefile answer.txt\n{WORDS}"),
        "displayed": in_code(f'from IPython.display import *\ndisplay(Markdown("{WORDS}"))'),
        "given a name": in_code(f'answer = "{WORDS}"'),
        "as a docstring": in_code(f'def why():\n    """{WORDS}"""'),
        "as a comment above other code": in_code(f"# {WORDS}\nprint(double(4))"),
        "as a comment in a given cell": typed("draw", f"\n# {WORDS}"),
    },
    "metadata_restored": {"in a notebook from Databricks": in_databricks},
    "": {
        "in the question's text, which has lost its names": without_names(
            typed("why-heading", f"\n\n{WORDS}")
        ),
        "in a notebook from Deepnote": in_pieces,
    },
}


@pytest.mark.parametrize(
    ("repair", "change"),
    [
        pytest.param(repair, change, id=where)
        for repair, changes in FOUND.items()
        for where, change in changes.items()
    ],
)
def test_words_are_found(repair, change):
    draft = repaired(change)
    assert words_of(draft) == {"why": WORDS}
    assert not repair or repair in {note.kind for note in draft.repairs if note.cell == "why"}


def test_words_in_the_next_heading_and_in_the_next_answer_are_of_the_question_above():
    below = f"# {WORDS}\n"
    assert words_of(repaired(typed("how-heading", f"{WORDS}\n\n", True), how="One.")) == {
        "why": WORDS,
        "how": "One.",
    }
    assert words_of(repaired(typed("triple", below, True), why="Because.")) == {
        "why": "Because.",
        "how": WORDS,
    }


def test_words_are_not_given_to_two_questions():
    draft = repaired(typed("how-heading", f"\n\n{WORDS}"))
    assert words_of(draft) == {"how": WORDS}


@pytest.mark.parametrize("name", ["why-heading", "how-heading"])
def test_an_answer_stays_as_it_is_whatever_is_near(name):
    draft = repaired(typed(name, f"\n\n{WORDS}"), why="Because.", how="One.")
    assert words_of(draft) == {"why": "Because.", "how": "One."} and draft.repairs == []


def test_the_given_text_stays_the_courses():
    draft = repaired(typed("why-heading", f"\n\n{WORDS}"))
    assert next(item.source for item in draft.cells if item.source.startswith("### Why")) == HEADING


def test_words_in_several_places_are_all_kept():
    first, second = "Twice as far.", "So it is a sum."

    def change(found):
        typed("why-heading", f" {first}")(found)
        inserted("why", markdown("new", second))(found)

    draft = repaired(change)
    assert sorted(answer(draft, "why").source.split("\n\n")) == sorted([first, second])
    assert {note.kind for note in draft.repairs} == {"words_in_given_text", "answer_found_elsewhere"}


NOTHING = {
    "nothing": lambda found: None,
    "a published address": with_words("how-heading", "example.org/steps", "uni.example.org/course/steps"),
    "other Markdown": with_words(
        "why-heading", "*Think of the number line.*", "_Think of\nthe number  line._"
    ),
    "a remark on code": in_code("# check\nprint(double(4))"),
    "code that was switched off": in_code("# print(double(4), double(5), double(6))"),
    "a comment in another question's cell": with_words(
        "triple", "raise", "# Three times a number is a sum of three.\n    raise"
    ),
    "a copy of the question": inserted("why", markdown("new", HEADING)),
    "a copy of the stub": inserted("why", markdown("new", "YOUR ANSWER HERE")),
    "a module written to a file": in_code(
        "%%writefile utils.py\ndef first_of(numbers):\n    return numbers[0]"
    ),
    "words far away": inserted("intro", markdown("new", WORDS)),
    "an empty cell for IPython": in_code("%%markdown\n"),
}


@pytest.mark.parametrize("change", NOTHING.values(), ids=NOTHING)
def test_nothing_is_found_where_nothing_was_written(change):
    assert words_of(repaired(change)) == {}


@pytest.mark.parametrize("short", ["yes", "B", "42", "x > 0", "True", '"yes"', "# yes", 'print("yes")'])
def test_a_short_answer_in_a_code_cell_of_its_own_is_found(short):
    assert "why" in words_of(repaired(in_code(short)))


def test_code_with_the_name_of_its_language_runs():
    draft = repaired(
        with_words("double", "def double", "%python\ndef double"), double="def double(x):\n    return 2 * x"
    )
    assert answer(draft, "double").source.startswith("def double")


@pytest.mark.parametrize("edit", ["", "\nx = 1"])
@pytest.mark.parametrize(
    "given",
    [
        "# @title Listen: a sum, and why it is one (about a minute)\nprint('a player')",
        "found = 3\nprint(f'{found} of the lines that were drawn are long')",
    ],
)
def test_the_title_and_the_strings_of_a_given_code_cell_are_not_the_students(given, edit):
    master = master_of(*[code("draw", given) if cell["id"] == "draw" else cell for cell in CELLS])
    assert words_of(rebuild(master, handed_in(master, typed("draw", edit)))) == {}
