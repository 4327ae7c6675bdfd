"""A submission in which nothing is an answer is flagged if somebody has worked on it, and only then."""

import io
import json
import zipfile

import nbformat
import pytest
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
    notebook = json.loads(fill(MASTER, answers or {}))
    change(notebook["cells"])
    return json.dumps(notebook).encode()


def by_id(found, name):
    return next(cell for cell in found if cell["id"] == name)


def put(source, *names):
    """This source in the cells of these questions."""

    def change(found):
        for name in names or ANSWERS:
            by_id(found, name)["source"] = source

    return change


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


def flags(data):
    return [note.kind for note in rebuild(MASTER, data).flags]


PICTURE = markdown("photo", "![](attachment:answer.png)") | {"attachments": {"answer.png": {"image/png": ""}}}
COMMENT = "\n".join(f"# {line}" for line in BOTH.split("\n"))


@pytest.mark.parametrize(
    "change",
    [
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
    ],
)
def test_work_without_an_answer_is_flagged(change):
    draft = rebuild(MASTER, released(change=change))
    assert "nothing_recognised" in [note.kind for note in draft.flags]
    assert "nothing_recognised" in [note.kind for note in draft.repairs]


@pytest.mark.parametrize(
    "change",
    [
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
    ],
)
def test_a_release_with_hardly_a_change_is_not(change):
    assert "nothing_recognised" not in flags(released(change=change))


@pytest.mark.parametrize(
    "change",
    [
        put(ANSWERS["double"], "double"),
        put("double = lambda x: 2 * x", "double"),
        put("import numpy as np\ndouble = np.vectorize(lambda x: 2 * x)", "double"),
        put("try:\n    import fast\nexcept ImportError:\n    def double(x):\n        return 2 * x", "double"),
        put("from answers import double", "double"),
        put("from answers import *", "double"),
        put("def double(x):\n    return [x", "double"),
        add(markdown("mine", f"```python\n{BOTH}\n```")),
        keep(code("all", BOTH)),
    ],
)
def test_an_answer_of_any_kind_is_recognised(change):
    assert "nothing_recognised" not in flags(released(change=change))


def test_words_alone_are_no_reason_to_look_for_code_but_commented_code_is():
    master = master_of(*cells())
    words = json.loads(fill(master, {"why": "A sum."}))
    assert rebuild(master, json.dumps(words).encode()).flags == []
    put(COMMENT, "double")(words["cells"])
    (flag,) = rebuild(master, json.dumps(words).encode()).flags
    assert flag.kind == "nothing_recognised"


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
    kinds = [note.kind for note in (*result.flags, *result.repairs)]
    assert result.score == 5 and "nothing_recognised" not in kinds


# Beside other files.

NOTEBOOK = "attention.ipynb"
CONVERTED = "\n".join(
    f"# In[1]:\n\n\n{cell['source']}\n" if cell["cell_type"] == "code" else f"# {cell['source']}\n"
    for cell in json.loads(released(ANSWERS))["cells"]
).encode()


def chosen(**files):
    readers = {name.replace("_DOT_", "."): lambda data=data: data for name, data in files.items()}
    return choose(readers, NOTEBOOK, lambda data: rebuild(MASTER, data))


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("my_utils_DOT_py", BOTH.encode()),
        ("README_DOT_md", f"# Read me\n\n```python\n{BOTH}\n```\n".encode()),
        ("requirements_DOT_txt", b"torch\n"),
        ("data_DOT_json", b'{"cells": 3}'),
    ],
)
@pytest.mark.parametrize("answers", [ANSWERS, {}])
def test_what_lies_beside_a_notebook_is_never_graded_in_its_place(name, data, answers):
    choice = chosen(attention_DOT_ipynb=released(answers), **{name: data})
    assert choice.name == NOTEBOOK
    assert "several_notebooks" not in [flag.kind for flag in choice.flags]


def test_answers_beside_a_notebook_without_any_are_named():
    (flag,) = chosen(attention_DOT_ipynb=released(), my_utils_DOT_py=BOTH.encode()).flags
    assert (flag.kind, flag.values) == ("answered_beside", {"graded": NOTEBOOK, "found": "my_utils.py"})


def test_the_notebook_in_another_form_is_graded_in_place_of_one_without_answers():
    choice = chosen(attention_DOT_ipynb=released(), attention_DOT_py=CONVERTED)
    assert choice.name == "attention.py" and choice.draft.answered == 2


def test_a_notebook_that_cannot_be_read_is_not_replaced_by_a_file_without_answers():
    broken = chosen(attention_DOT_ipynb=b"<html>", README_DOT_md=b"```python\ndef example():\n    pass\n```")
    assert broken.name == NOTEBOOK and broken.draft.values["reason"] == "web_page"
    assert chosen(attention_DOT_ipynb=b"<html>", mine_DOT_py=BOTH.encode()).name == "mine.py"


def zipped(**files):
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as file:
        for name, data in files.items():
            file.writestr(name.replace("_DOT_", "."), data)
    return archive.getvalue()


def test_another_form_in_an_archive_is_read():
    draft = rebuild(
        MASTER, zipped(README_DOT_md="# Read me", utils_DOT_py="def f(): pass", a_DOT_py=CONVERTED)
    )
    assert draft.answered == 2 and draft.flags == []
    with pytest.raises(UnreadableFile, match="not_json|no_notebook_in_archive"):
        rebuild(MASTER, zipped(README_DOT_md="# Read me"))


@pytest.mark.parametrize("start", [b"{\\rtf1\\ansi", b"GIF89a", b"%PDF-1.7", b"bplist00"])
def test_a_document_or_a_picture_is_named(start):
    with pytest.raises(UnreadableFile, match="other_format"):
        rebuild(MASTER, start + bytes(100))
