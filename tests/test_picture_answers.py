"""A picture as an answer: from the file that was handed in, through the grader, to the pages of student and TAs."""

import base64
import io
import re
import time
import urllib.request
from functools import cache

import pytest
from drafts import answer, by_id, handed_in, have_read, kinds, zipped
from nbconvert.exporters import HTMLExporter
from nbformat.v4 import new_markdown_cell, new_notebook
from PIL import Image
from quick import first
from small_course import RIGHT, hand_in, markdown
from test_marking_server import ask, serving
from traitlets.config import Config

from coursekit.deliver.feedback.page import write_feedback
from coursekit.deliver.review.pages import write_reports
from coursekit.engine.coordinator import reader_client
from coursekit.engine.coordinator.forked_process import ServerLost
from coursekit.engine.shared.reader_messages import MAX_PICTURES, picture_type
from coursekit.gradebook.marks import marks
from coursekit.gradebook.record import record
from coursekit.gradebook.settings import configure_nbgrader
from coursekit.grading.place import Here
from coursekit.grading.run import grade_class

pytestmark = pytest.mark.usefixtures("warm")


@cache
def photo(kind="JPEG", seed=0):
    file = io.BytesIO()
    Image.effect_noise((60, 40), 60 + seed).convert("RGB").save(file, kind)
    return file.getvalue()


def attachment(name="image.png", data=None, kind="image/png"):
    data = photo() if data is None else data
    return {name: {kind: base64.b64encode(data).decode()}}


def with_answer(master, source="YOUR ANSWER HERE", attachments=None, more=(), heading=None):
    """The small week's notebook with this cell for the written answer, more cells below, a change of the heading."""

    def change(found):
        by_id(found, "why").update({"source": source} | ({"attachments": attachments} if attachments else {}))
        by_id(found, "why-heading").update(heading or {})
        found += more

    return handed_in(master, change, {"double": RIGHT["double"]})


def why_of(rebuilt):
    return answer(rebuilt, "why")


HOSTILE_NAME = "\"><script>alert('1')</script> it's.png"


@pytest.fixture
def read_answer(master, servers):
    """A function: the reader's cell for the written answer, of the notebook with this cell for it."""
    return lambda *cell, **more: why_of(have_read(master, servers, with_answer(master, *cell, **more)))


@pytest.mark.parametrize("name", ["image.png", "my photo (1).png", HOSTILE_NAME, "ü.jpg"])
def test_a_pasted_photo_is_the_answer(read_answer, name):
    answer = read_answer(f"![x](attachment:{name})", attachment(name))
    assert answer.touched and list(answer.pictures) == [name]
    assert picture_type(answer.pictures[name]) and answer.pictures[name] != photo()


def test_a_photo_without_a_word_of_text_is_the_answer(read_answer):
    answer = read_answer("", attachment())
    assert answer.touched and answer.pictures["image.png"]


def test_a_photo_in_the_text_is_the_answer(read_answer):
    url = f"data:image/jpeg;base64,{base64.b64encode(photo()).decode()}"
    answer = read_answer(f'<img src="{url}">')
    assert answer.touched and all(answer.pictures.values()) and len(answer.source) < 100


def test_photos_pasted_below_are_the_answer(read_answer):
    below = [
        markdown(f"new{number}", "![](attachment:image.png)")
        | {"attachments": attachment(data=photo(seed=number))}
        for number in range(3)
    ]
    answer = read_answer(more=below)
    assert answer.touched and len(answer.pictures) == len(set(answer.pictures.values())) == 3


def test_a_photo_pasted_into_the_questions_text_is_the_answer(read_answer):
    source = "### Why a sum?\n\n![image.png](attachment:image.png)"
    answer = read_answer(heading={"source": source, "attachments": attachment()})
    assert answer.touched and answer.pictures["image.png"]


def test_a_picture_that_was_in_the_questions_text_is_no_answer(read_answer):
    assert not read_answer(
        heading={"attachments": attachment()}
    ).touched  # no word that was added speaks of it


def test_a_photo_beside_the_notebook_is_the_answer(master, servers):
    rebuilt = have_read(master, servers, with_answer(master), {"photo.JPG": photo()})
    assert why_of(rebuilt).touched and why_of(rebuilt).pictures["photo.JPG"]
    assert "answer_in_file" in kinds(rebuilt.repairs)


def test_a_photo_in_the_notebooks_archive_is_the_answer(master, servers):
    archive = zipped({"mine/attention.ipynb": with_answer(master), "mine/page 1.jpg": photo()})
    answer = why_of(have_read(master, servers, archive))
    assert answer.touched and answer.pictures["page 1.jpg"]


def test_a_photo_that_an_answer_mentions_belongs_to_it(master, servers):
    rebuilt = have_read(master, servers, with_answer(master, "Please see Scan.png."), {"scan.png": photo()})
    assert why_of(rebuilt).source == "Please see Scan.png." and why_of(rebuilt).pictures["scan.png"]


def test_a_photo_beside_an_answer_is_shown_below_it(master, servers):
    rebuilt = have_read(master, servers, with_answer(master, "Because."), {"more.png": photo()})
    below = rebuilt.cells[rebuilt.cells.index(why_of(rebuilt)) + 1]
    assert not why_of(rebuilt).pictures and below.pictures["more.png"] and not below.run


def test_documents_beside_the_notebook_are_named_where_the_answer_is_missing(master, servers):
    names = {"scan.pdf", "IMG_1.HEIC", "answer.docx", "answer.txt", "answer.md"}
    files = dict.fromkeys(names, b"words")
    flags = have_read(master, servers, with_answer(master), files).flags
    (note,) = (note for note in flags if note.kind == "maybe_in_file")
    assert (note.cell, set(note.values["names"].split(", "))) == ("why", names)
    answered = have_read(master, servers, with_answer(master, "So."), files)
    assert "maybe_in_file" not in kinds(answered.flags)


def test_other_files_are_no_answers(master, servers):
    files = dict.fromkeys(["data.csv", "requirements.txt", "utils.py", "README.md"], b"x = 1")
    rebuilt = have_read(master, servers, with_answer(master), files)
    assert not why_of(rebuilt).touched and "maybe_in_file" not in kinds(rebuilt.flags)


def test_what_cannot_be_shown_costs_no_other_picture(read_answer):
    pictures = attachment("a.png", b"no picture") | attachment("b.png") | attachment("c.svg", b"<svg/>")
    answer = read_answer("See.", pictures)
    assert [bool(data) for data in answer.pictures.values()] == [False, True, False]


def test_a_picture_that_the_file_lacks_is_named(read_answer):
    answer = read_answer("![](attachment:my%20photo.png)")
    assert answer.touched and answer.pictures == {"my photo.png": b""}


def test_a_reader_that_ends_at_a_picture_costs_no_other(read_answer, monkeypatch):
    asked = []
    replies = reader_client._replies

    def ending(*arguments):
        asked.append(arguments[3])
        for number, reply in enumerate(replies(*arguments)):
            if arguments[3]["wants"] == "pictures" and arguments[3]["first"] + number == 1:
                raise TimeoutError
            yield reply

    monkeypatch.setattr(reader_client, "_replies", ending)
    pictures = attachment("a.png") | attachment("b.png") | attachment("c.png")
    answer = read_answer("See.", pictures)
    assert [bool(data) for data in answer.pictures.values()] == [True, False, True]
    assert [request.get("first") for request in asked] == [None, 0, 2]


def test_a_lost_server_is_no_fault_of_a_picture(read_answer, monkeypatch):
    replies = reader_client._replies

    def lost(*arguments):
        if arguments[3]["wants"] == "pictures":
            raise ServerLost("gone")
        yield from replies(*arguments)

    monkeypatch.setattr(reader_client, "_replies", lost)
    with pytest.raises(ServerLost):
        read_answer("See.", attachment())


def test_very_many_pictures_are_cut_and_flagged(master, servers):
    pictures = {}
    for number in range(MAX_PICTURES + 5):
        pictures |= attachment(f"{number}.png", b"x")
    rebuilt = have_read(master, servers, with_answer(master, "See.", pictures))
    assert len(why_of(rebuilt).pictures) == MAX_PICTURES and "too_many_pictures" in kinds(rebuilt.flags)


def test_nobody_without_pictures_waits_for_a_second_reader(read_answer, monkeypatch):
    asked = []
    replies = reader_client._replies
    monkeypatch.setattr(reader_client, "_replies", lambda *some: asked.append(some) or replies(*some))
    read_answer("Because.")
    assert len(asked) == 1


NAME = '<b>it\'s "mine".png'


@pytest.fixture
def graded(course, week, master):
    """Three students: a photo pasted in, words in the question's text, a scan beside."""
    text = f"See **this**: ![x](attachment:{NAME})"
    hand_in(course, "pasted", with_answer(master, text, attachment(NAME)))
    typed = {"source": "### Why a sum?\n\nIt is twice as far."}
    hand_in(course, "typed", with_answer(master, heading=typed))
    hand_in(course, "beside", with_answer(master))
    (course.submitted("beside", week) / "scan.pdf").write_bytes(b"%PDF-1.7")
    return course, week, grade_class(course, week, place=Here(1))


def test_each_of_them_waits_for_a_person(graded):
    course, week, run = graded
    record(course, week, list(run.results.values()))
    for student, result in run.results.items():
        assert result.questions[-1].score is None and result.needs_review, student
    assert all(row.questions["why"] is None for row in marks(course, week))


def test_a_new_photo_is_a_new_submission(graded):
    course, week, _ = graded
    assert grade_class(course, week, place=Here(1)).fresh == set()
    (course.submitted("beside", week) / "photo.jpg").write_bytes(photo())
    assert grade_class(course, week, place=Here(1)).fresh == {"beside"}


def test_the_students_page_shows_the_photo_and_nothing_active(graded):
    course, week, _ = graded
    page = write_feedback(course, week, "pasted").read_text(encoding="utf-8")
    (address,) = re.findall(r'<img src="([^"]*)"', page)
    assert address.startswith(("data:image/jpeg;base64,", "data:image/png;base64,"))
    assert "<b>it" not in page and "attachment:" in page


@pytest.mark.slow
def test_the_tas_page_shows_the_photo_and_where_words_were_found(graded):
    course, week, run = graded
    record(course, week, list(run.results.values()))
    write_reports(course, [week], named=True)
    pages = course.root / "reports" / week.name / "students"
    assert "data:image/" in (pages / "pasted.html").read_text(encoding="utf-8")
    assert "words that were added" in (pages / "typed.html").read_text(encoding="utf-8")
    assert "scan.pdf" in (pages / "beside.html").read_text(encoding="utf-8")


def test_the_marking_page_sends_the_photo_to_those_with_its_address(graded):
    course, week, run = graded
    record(course, week, list(run.results.values()))
    with serving(course.root, "--names") as address:
        question = f"Ann/{week.name}/why"
        _, headers, page = ask(address, question)
        (picture,) = re.findall(r'<img src="/[^/]*/([^"]*)"', page)
        assert "img-src 'self'" in headers["Content-Security-Policy"] and "It is twice as far." in page
        assert "words that were added" in page and "scan.pdf" in page and "<b>it" not in page
        picture = picture.replace("&amp;", "&")
        with urllib.request.urlopen(address + picture, timeout=60) as answer:
            assert answer.headers["Content-Type"] in ("image/jpeg", "image/png")
            assert answer.headers["X-Content-Type-Options"] == "nosniff"
            assert Image.open(io.BytesIO(answer.read())).size == (60, 40)
        for wrong in (
            picture[:-1] + "7",
            picture[:-1] + "x",
            picture.partition("&")[0],
            question + "/picture",
        ):
            assert (
                ask(address, wrong)[0] in (404, 200)
                and "image/" not in ask(address, wrong)[1]["Content-Type"]
            )


@pytest.fixture(scope="module")
def formgrader_page():
    config = Config()
    configure_nbgrader(config)
    exporter = HTMLExporter(config=config)

    def page(source, attachments=None):
        cell = new_markdown_cell(source, **({"attachments": attachments} if attachments else {}))
        return exporter.from_notebook_node(new_notebook(cells=[cell]))[0].partition("<body")[2]

    return page


@pytest.mark.parametrize(
    "source", first(2, ["![x](attachment:image.png)", "See the picture.", "", "attachment:image.png"])
)
def test_the_formgrader_shows_the_photo_once(formgrader_page, source):
    page = formgrader_page(source, attachment(data=photo("PNG")))
    assert page.count(base64.b64encode(photo("PNG")).decode()) == 1


@pytest.mark.slow
def test_a_page_with_twenty_photos_takes_little_time(formgrader_page):
    photos = {f"{number}.jpg": {"image/jpeg": "QUJD" * 250_000} for number in range(20)}
    started = time.process_time()
    assert formgrader_page("See.", photos).count("<img") == 20
    assert time.process_time() - started < 5


@pytest.mark.parametrize("source", ["![x](attachment:lost.png)", "![x](attachment:image.png) " * 3])
def test_a_reference_to_a_lost_photo_hides_nothing_else(formgrader_page, source):
    assert "Words below." in formgrader_page(f"{source}\n\nWords below.")
