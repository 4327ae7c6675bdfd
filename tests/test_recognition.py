"""A submission in which nothing is an answer is flagged if somebody has worked on it, and only then."""

import json

import nbformat
import pytest
from drafts import by_id, handed_in, kinds, replaced, zipped
from small_course import ROOT, cells, code, make_course, markdown, master_of, triple_cells

from coursekit.course.config import open_course
from coursekit.deliver.feedback.page import render
from coursekit.engine.coordinator.grade import grade
from coursekit.engine.reader.choose import choose
from coursekit.engine.reader.repair import UnreadableFile, rebuild
from coursekit.engine.shared.master import fill

MASTER = master_of(*cells()[:-2], *triple_cells())  # without the written question
ANSWERS = {"double": "def double(x):\n    return 2 * x", "triple": "def triple(x):\n    return x * 3"}
BOTH = "\n\n".join(ANSWERS.values())
WORDS = "I would add the number to itself, as often as the question says, with a loop."


def released(answers=None, change=lambda found: None):
    return handed_in(MASTER, change, answers)


def put(source, *names):
    """This source in the cells of these questions; of both, if none is named."""
    return replaced(source, *(names or ANSWERS))


def add(*more):
    return lambda found: found.extend(more)


def keep(*kept):
    def change(found):
        found[:] = kept

    return change


def empty_sources(found):
    for cell in found:
        cell["source"] = ""


def edit_setup(found):
    by_id(found, "setup")["source"] += '\nstudent_id = "4711"'


PICTURE = markdown("photo", "![](attachment:answer.png)") | {"attachments": {"answer.png": {"image/png": ""}}}
COMMENT = "\n".join(f"# {line}" for line in BOTH.split("\n"))


WORK_WITHOUT_AN_ANSWER = [
    put(COMMENT),
    put("def twice(x):\n    return x + x"),
    put("class Answers:\n    def double(self, x):\n        return x + x"),
    put("result = 2 * 3"),
    put("", "double", "triple"),
    put('answer = """\ndef double(x):\n    return x\n"""'),
    add(PICTURE),
    add(markdown("scan", '<img src="data:image/png;base64,AAAA">')),
    add(markdown("words", WORDS)),
    add(code("mine", "a = 2\nb = 2 * a\nprint(b)")),
    add(code("mine", "def my_solution(x):\n    return x")),
    empty_sources,
    keep(),
    keep(code("other", "print('another notebook')")),
    keep(markdown("title", "# Homework"), code("a", "import os")),
]
HARDLY_A_CHANGE = [
    lambda found: None,
    edit_setup,
    add(markdown("view-in-github", '<a href="https://example.org/x"><img src="badge.svg"/></a>')),
    add(markdown("who", "Ana Lopez, student number 4711, group B")),
    add(
        code("mine", "!pip install tqdm"),
        code("more", "from google.colab import drive\ndrive.mount('/d')"),
    ),
    add(code("empty", ""), markdown("nothing", " ")),
    put("def double(x):\n    # I do not know\n    raise NotImplementedError", "double"),
]
ANSWERED = [
    put(ANSWERS["double"], "double"),
    put("double = lambda x: 2 * x", "double"),
    put("import numpy as np\ndouble = np.vectorize(lambda x: 2 * x)", "double"),
    put("try:\n    import fast\nexcept ImportError:\n    def double(x):\n        return 2 * x", "double"),
    put("from answers import double", "double"),
    put("from answers import *", "double"),
    put("def double(x):\n    return [x", "double"),
    add(markdown("mine", f"```python\n{BOTH}\n```")),
    keep(code("all", BOTH)),
]


@pytest.mark.parametrize(
    ("change", "flagged"),
    [
        *((change, True) for change in WORK_WITHOUT_AN_ANSWER),
        *((change, False) for change in [*HARDLY_A_CHANGE, *ANSWERED]),
    ],
)
def test_work_without_an_answer_is_flagged_and_nothing_else(change, flagged):
    draft = rebuild(MASTER, released(change=change))
    assert ("nothing_recognised" in kinds(draft.flags)) == flagged
    assert ("nothing_recognised" in kinds(draft.repairs)) == flagged


def test_words_alone_are_no_reason_to_look_for_code_but_commented_code_is():
    master, words = master_of(*cells()), {"why": "A sum."}
    assert rebuild(master, handed_in(master, answers=words)).flags == []
    assert kinds(rebuild(master, handed_in(master, put(COMMENT, "double"), words)).flags) == [
        "nothing_recognised"
    ]


def test_the_flag_names_what_the_file_defines():
    source = "def twice(x):\n    return x\n\nclass Thrice:\n    pass"
    (flag,) = rebuild(MASTER, released(change=add(code("mine", source)))).flags
    assert flag.values == {"found": "Thrice, twice"}


def test_no_week_as_it_is_released_holds_an_answer():
    course = open_course(ROOT)
    for week in course.weeks:
        draft = rebuild(course.master(week), course.release(week).read_bytes())
        assert (draft.answered, draft.repairs, draft.flags) == (0, [], []), week.name


# In a result and on the student's page.


def test_a_person_looks_at_it_and_the_student_reads_what_to_do(tmp_path, servers):
    course, week = make_course(tmp_path)
    master = course.master(week)
    data = fill(master, {"double": "def twice(x):\n    return x + x"})
    graded = grade(master, data, course.limits, servers)
    assert graded.result.needs_review and graded.result.score == 0
    page = render(master, graded.result, nbformat.reads(graded.notebook, 4))
    assert "twice" in page and "no answer was found" in page.lower() and "Download .ipynb" in page


def test_an_answer_that_only_running_shows_is_no_reason_to_look(tmp_path, servers):
    course, week = make_course(tmp_path)
    master = course.master(week)
    data = fill(master, {"double": "globals()['dou' + 'ble'] = lambda x: x + x"})
    result = grade(master, data, course.limits, servers).result
    assert result.score == 5 and "nothing_recognised" not in kinds([*result.flags, *result.repairs])


# Beside other files.

NOTEBOOK = "attention.ipynb"
CONVERTED = "\n".join(
    f"# In[1]:\n\n\n{cell['source']}\n" if cell["cell_type"] == "code" else f"# {cell['source']}\n"
    for cell in json.loads(released(ANSWERS))["cells"]
).encode()


def chosen(files):
    readers = {name: lambda data=data: data for name, data in files.items()}
    return choose(readers, NOTEBOOK, lambda data: rebuild(MASTER, data))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("my_utils.py", BOTH.encode()),
        ("README.md", f"# Read me\n\n```python\n{BOTH}\n```\n".encode()),
        ("requirements.txt", b"torch\n"),
        ("data.json", b'{"cells": 3}'),
    ],
)
@pytest.mark.parametrize("answers", [ANSWERS, {}])
def test_what_lies_beside_a_notebook_is_never_graded_in_its_place(name, data, answers):
    choice = chosen({NOTEBOOK: released(answers), name: data})
    assert choice.name == NOTEBOOK and "several_notebooks" not in kinds(choice.flags)


def test_answers_beside_a_notebook_without_any_are_named():
    (flag,) = chosen({NOTEBOOK: released(), "my_utils.py": BOTH.encode()}).flags
    assert (flag.kind, flag.values) == ("answered_beside", {"graded": NOTEBOOK, "found": "my_utils.py"})


def test_the_notebook_in_another_form_is_graded_in_place_of_one_without_answers():
    choice = chosen({NOTEBOOK: released(), "attention.py": CONVERTED})
    assert choice.name == "attention.py" and choice.draft.answered == 2


def test_a_notebook_that_cannot_be_read_is_not_replaced_by_a_file_without_answers():
    broken = chosen({NOTEBOOK: b"<html>", "README.md": b"```python\ndef example():\n    pass\n```"})
    assert broken.name == NOTEBOOK and broken.draft.values["reason"] == "web_page"
    assert chosen({NOTEBOOK: b"<html>", "mine.py": BOTH.encode()}).name == "mine.py"


def test_another_form_in_an_archive_is_read():
    draft = rebuild(
        MASTER, zipped({"README.md": "# Read me", "utils.py": "def f(): pass", "a.py": CONVERTED})
    )
    assert draft.answered == 2 and draft.flags == []
    with pytest.raises(UnreadableFile, match="not_json|no_notebook_in_archive"):
        rebuild(MASTER, zipped({"README.md": "# Read me"}))
