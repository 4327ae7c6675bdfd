"""The pictures of docs/: the demo class in a headless browser, as staff and students see it.

    make pictures          # or: .venv/bin/python docs/pictures.py [NAME ...]

makes the demo class in demo/class, grades its first week, marks a few written answers in the formgrader, and writes
docs/pictures/NAME. A picture is an entry of PICTURES. It needs a browser.
"""

import io
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from coursekit.authoring.release import release
from coursekit.course.config import Course, Week, open_course
from coursekit.deliver.feedback.page import write_feedback
from coursekit.deliver.review.pages import write_reports
from coursekit.deliver.review.week_data import pseudonyms
from coursekit.demo import make_folder
from coursekit.gradebook.database import open_gradebook
from coursekit.gradebook.marks import marks
from coursekit.gradebook.record import record
from coursekit.grading.diagnosis import known_mistakes
from coursekit.grading.place import Here
from coursekit.grading.run import grade_class

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))
from jupyter_lab import TOKEN, served  # noqa: E402
from system_packages import BROWSER, how_to_install  # noqa: E402

FOLDER = ROOT / "docs" / "pictures"
SALT = "the demo class"
SCALE = 1.5  # pixels of a picture for each of the page's
COLOURS = 64
MARGIN = 12  # around a part of a page, in the page's pixels

# What the TA has marked already: {student: (points, comment)}.
MARKED = {
    "s01": ("4", ""),
    "s03": ("4", "A worked example, and a good one."),
    "s04": ("2.5", "Why is a dark diagonal bad? Say what the layer could not do then."),
    "s09": ("1", "True, and half of the reason: what about the values?"),
    "s10": ("3.5", "What would go wrong if the library's cards were its books?"),
}
COMMENT = "#why_three-comment"
# Items of the rubric that a TA has made: (the sentence for the student, points).
RUBRIC = (
    ("Right: without the matrices a word would mostly look at itself.", "1"),
    ("A good example of your own.", "1"),
)


@dataclass(frozen=True)
class Picture:
    """What is taken, and of which page.

    Attributes:
        address: of the page. {course} is the course folder, {student} the pseudonym of s10, {formgrader} the
            formgrader's server, {submission} the number of s10's submission there, {marking} what
            `course review --serve` prints.
        part: a selector of what is on it; "" for what the window shows.
        width, height: of the window, and the picture's largest height, in the page's pixels.
        prepare: what is done on the page before.
    """

    address: str
    part: str = ""
    width: int = 1000
    height: int = 620
    prepare: Callable[[Page], None] = lambda page: None


def show_answer(page: Page) -> None:
    """Bring the written answer into sight, with what the TA gave it."""
    page.wait_for_function("document.querySelector('#why_three').value !== ''")
    page.evaluate("document.querySelector('#why_three').closest('.nbgrader_cell').scrollIntoView()")
    page.mouse.wheel(0, -300)  # with the rubric above it
    page.wait_for_timeout(500)


def mark_in_a_row(page: Page) -> None:
    """Make the rubric's items, and give one to the first answer that waits, by its key."""
    for number, (text, points) in enumerate(RUBRIC, 1):
        new = page.locator("#rubric .rubric-item").last
        new.locator("[name=text]").fill(text)
        new.locator("[name=points]").fill(points)
        new.get_by_role("button", name="Add").click()
        page.locator("#rubric .rubric-item").nth(number).wait_for()
    card = page.locator(f"#{page.locator('.answer.waits').first.get_attribute('id')}")
    card.locator("[name=item]").nth(1).wait_for()
    card.focus()
    page.keyboard.press("1")
    card.locator(".standing", has_text="1 point").wait_for()
    page.reload()
    card.evaluate("card => { card.scrollIntoView(); scrollBy(0, -70); }")


PICTURES = {
    "marking.png": Picture(
        "{marking}A%20TA/week1_attention/why_three", width=1200, height=760, prepare=mark_in_a_row
    ),
    "formgrader.png": Picture("{formgrader}/submissions/{submission}/", prepare=show_answer),
    "reports-index.png": Picture("{course}/reports/index.html", height=360),
    "reports-look.png": Picture("{course}/reports/week1_attention/index.html", height=640),
    "reports-questions.png": Picture(
        "{course}/reports/week1_attention/index.html", part="section[aria-labelledby=questions]"
    ),
    "reports-wrong.png": Picture(
        "{course}/reports/week1_attention/index.html", part="section[aria-labelledby=failures]", height=560
    ),
    "reports-student.png": Picture("{course}/reports/week1_attention/students/{student}.html", height=640),
    "feedback.png": Picture("{course}/feedback/s10/week1_attention/attention.html", height=700),
    "feedback-narrow.png": Picture(
        "{course}/feedback/s10/week1_attention/attention.html", width=390, height=760
    ),
}


def graded_class() -> tuple[Course, Week]:
    """The demo class in demo/class, its first week graded; one student of the class list handed in nothing."""
    here = open_course(ROOT)
    course, expected = make_folder(here)
    week = course.weeks[0]
    shutil.copytree(here.answers(week), course.answers(week))
    (course.root / "roster.csv").write_text("id\n" + "\n".join([*expected[week.name], "s52"]) + "\n")
    release(course, week)
    record(course, week, grade_class(course, week, place=Here()).results.values())
    # Pseudonyms are drawn by chance in any other course; pictures that are taken again show the same ones.
    (course.results / ".pseudonyms").write_text(SALT)
    return course, week


def mark(page: Page, points: str, comment: str) -> None:
    """Type into the open submission, and wait until both are saved."""
    page.locator("#why_three").wait_for()
    # Once the page has fetched the marks, a test's box shows its points.
    page.wait_for_function("document.querySelector('#softmax_rows').placeholder !== ''")
    for selector, text, kind in (("#why_three", points, "grade"), (COMMENT, comment, "comment")):
        box = page.locator(selector)
        if text and box.input_value() != text:
            box.fill(text)
            with page.expect_response(lambda response, kind=kind: f"/api/{kind}/" in response.url):
                box.press("Tab")
    page.wait_for_timeout(300)


def open_page(browser: Browser, **settings: Any) -> Page:
    """A page in a context of its own, which reaches this machine and nothing else."""
    page = browser.new_context(**settings).new_page()
    page.set_default_timeout(120_000)
    page.route(
        re.compile("^https?://"),
        lambda route: (
            route.continue_() if urlsplit(route.request.url).hostname == "127.0.0.1" else route.abort()
        ),
    )
    return page


def take(browser: Browser, picture: Picture, addresses: dict[str, str], entry: Any) -> bytes:
    """The picture, as PNG.

    Args:
        entry: the cookies with which the formgrader lets a browser in.
    """
    page = open_page(
        browser,
        viewport={"width": picture.width, "height": picture.height},
        device_scale_factor=SCALE,
        locale="en-GB",
        storage_state=entry,
    )
    page.goto(picture.address.format(**addresses))
    picture.prepare(page)
    clip = None
    if picture.part:
        box = page.locator(picture.part).bounding_box()
        clip = {
            "x": box["x"] - MARGIN,
            "y": box["y"] - MARGIN,
            "width": box["width"] + 2 * MARGIN,
            "height": min(box["height"] + 2 * MARGIN, picture.height),
        }
    taken = page.screenshot(clip=clip, full_page=clip is not None)
    page.context.close()
    return taken


def small(png: bytes) -> bytes:
    """The same picture with a palette of few colours, which is what pages of text have."""
    image = Image.open(io.BytesIO(png)).convert("RGB")
    out = io.BytesIO()
    image.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(
        out, "PNG", optimize=True
    )
    return out.getvalue()


@contextmanager
def marking(root: Path) -> Iterator[str]:
    """`course review --serve` in a course folder; yields the address that it prints."""
    command = [sys.executable, "-m", "coursekit.cli", "review", "--serve"]
    with subprocess.Popen(command, cwd=root, stdout=subprocess.PIPE, text=True) as program:
        try:
            yield re.search(r"http://\S+", program.stdout.readline())[0]
        finally:
            program.terminate()


def take_all(course: Course, week: Week, chosen: dict[str, Picture], program: Path | str) -> None:
    """Mark, write the pages, and take these pictures of them."""
    with open_gradebook(course) as book:
        rows = book.assignment_submissions(week.name)
        numbers = {row.student_id: row.notebooks[0].id for row in rows}
    with (
        tempfile.TemporaryDirectory() as home,
        served(course.root, Path(home)) as server,
        marking(course.root) as grouped_answers,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = open_page(browser)
        page.goto(f"{server}/formgrader/manage_assignments?token={TOKEN}")
        for student, (points, comment) in MARKED.items():
            page.goto(f"{server}/formgrader/submissions/{numbers[student]}/")
            mark(page, points, comment)
        entry = page.context.storage_state()
        given = {row.student: row for row in marks(course, week)}
        write_feedback(course, week, "s10", given["s10"], known_mistakes(course, week))
        write_reports(course, [week])
        addresses = {
            "course": course.root.as_uri(),
            "student": pseudonyms(numbers, SALT)["s10"],
            "formgrader": f"{server}/formgrader",
            "submission": numbers["s10"],
            "marking": grouped_answers,
        }
        for name, picture in chosen.items():
            data = small(take(browser, picture, addresses, entry))
            (FOLDER / name).write_bytes(data)
            print(f"docs/pictures/{name}: {len(data) / 1000:.0f} kB")
        browser.close()


def main() -> None:
    chosen = {name: PICTURES[name] for name in sys.argv[1:] or PICTURES}
    program = BROWSER.find()
    if program is None:
        sys.exit(f"A browser is needed: {how_to_install([BROWSER])}")
    FOLDER.mkdir(exist_ok=True)
    take_all(*graded_class(), chosen, program)


if __name__ == "__main__":
    main()
