"""nbgrader's formgrader, served and opened in a browser as a TA does it."""

import re
import time
import urllib.request
import zipfile
from concurrent.futures import ThreadPoolExecutor

import pytest
from command import course_program
from jupyter_lab import TOKEN, served
from nbformat.v4 import new_code_cell, new_markdown_cell, new_notebook
from nbgrader.api import Gradebook
from plain_nbgrader import nbgrader
from quick import first
from small_course import hand_in, leave_result, make_course, result, use_database, write_autograded

from coursekit.authoring.release import release
from coursekit.engine.shared.master import fill
from coursekit.engine.shared.result import UNREADABLE, Note
from coursekit.gradebook.database import locate
from coursekit.gradebook.marks import marks
from coursekit.gradebook.record import record
from coursekit.gradebook.safe_html import Safe

HOSTILE = "s03<img src=x onerror=window.attacked=3>"  # a folder name, as an LMS may make it from a student's
ANSWER = (
    "Because **x + x** is twice $x$.\n\n"
    "<script>window.attacked = 'script'</script>\n"
    "<img src=x onerror=\"window.attacked = 'image'\">\n"
    "[click](javascript:window.attacked='link')\n"
    "<details open ontoggle=\"window.attacked = 'details'\"><summary>more</summary>inside</details>\n"
    '<input id="why" class="score" value="4">\n\n'
    "| a | b |\n|---|---|\n| 1 | 2 |\n"
)
BLANKS = " \n" * 24_000
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGBgAAAABQABpfZFQAAAAABJRU5ErkJggg=="


def shown(data, **metadata):
    return {"output_type": "display_data", "data": data, "metadata": metadata}


OUTPUTS = [
    shown({"text/html": '<b>bold</b><script>window.attacked = 1</script><svg onload="window.attacked=2">'}),
    shown({"application/javascript": "window.attacked = 'javascript'"}),
    shown({"text/markdown": "<img src=x onerror=\"window.attacked = 'markdown'\">"}),
    shown(
        {"image/svg+xml": "<svg xmlns='http://www.w3.org/2000/svg' onload=\"window.attacked='drawing'\"/>"}
    ),
    shown({"image/png": PIXEL}, **{"image/png": {"width": "1 onload=window.attacked='size'"}}),
    {"output_type": "stream", "name": "stdout", "text": "<script>window.attacked = 'printed'</script>"},
]


@pytest.fixture
def page(chromium):
    """A page that reaches this machine and nothing else."""
    context = chromium.new_context()

    def only_this_machine(route):
        here = route.request.url.startswith("http://127.0.0.1:")
        return route.continue_() if here else route.abort()

    context.route(re.compile(r"^https?://"), only_this_machine)
    page = context.new_page()
    page.set_default_timeout(120_000)  # a busy machine takes its time; what never comes fails all the same
    yield page
    context.close()


@pytest.fixture
def folders(tmp_path):
    """A course folder, and a home for Jupyter's server."""
    for name in ("course", "home"):
        (tmp_path / name).mkdir()
    return tmp_path / "course", tmp_path / "home"


def pages_of(course):
    """{student: the formgrader's page of the submission}."""
    with Gradebook(locate(course), "transformer") as book:
        rows = book.assignment_submissions("week1_attention")
        return {row.student_id: f"submissions/{row.notebooks[0].id}/" for row in rows}


def type_and_leave(page, box, text, kind):
    """Type into a box of a submission's page, leave it, and wait until the formgrader has saved a grade or comment."""
    page.locator(box).fill(text)
    with page.expect_response(lambda response: f"/api/{kind}/" in response.url) as saved:
        page.locator(box).press("Tab")
    assert saved.value.ok


def placeholder(page, box, text):
    """Wait until a box shows this in place of what nobody has typed."""
    page.wait_for_function(f"document.querySelector('{box}').placeholder === '{text}'")


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
@pytest.mark.slow
def test_a_ta_marks_a_written_answer(folders, page, kind, request):
    root, home = folders
    course, week = make_course(root)
    if kind == "postgres":
        database = request.getfixturevalue("postgres")
        use_database(root, database.url(database.new_database()))
    release(course, week)
    note = Note("from_scratch", cell="double", values={"uses": "`torch.ops`"})
    results = [
        result("s01"),
        result("s02", (2.0, 0.0), flags=[note], written=0.0),
        result(HOSTILE, status=UNREADABLE),
    ]
    for student, answer in {"s01": ANSWER, "s02": None, HOSTILE: None}.items():
        write_autograded(course, student, answer, OUTPUTS if student == "s01" else None)
        hand_in(course, student)
    record(course, week, results)

    errors = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    with served(root, home) as address:
        page.goto(f"{address}/formgrader/manage_assignments?token={TOKEN}")
        page.get_by_role("link", name="week1_attention", exact=True).wait_for()

        page.goto(f"{address}/formgrader/manage_submissions/week1_attention")
        for student in ("s01", "s02", HOSTILE):
            row = page.locator("tr", has=page.locator(f"td:text-is('{student}')"))
            status = "graded" if student == "s02" else "needs manual grading"
            assert row.locator("td").nth(3).inner_text() == status

        page.goto(f"{address}/formgrader/gradebook/week1_attention/attention")
        page.get_by_role("link", name="Submission #1").wait_for()
        table = page.locator("tbody").inner_text()
        assert len(re.findall("Submission #", table)) == 3
        assert page.locator(".glyphicon-flag").count() == 1

        pages = pages_of(course)
        page.goto(f"{address}/formgrader/{pages['s01']}")
        page.locator("#double_hidden").wait_for()
        placeholder(page, "#double_hidden", "3")
        assert page.locator("input.score").count() == 3
        answer = page.locator(".nbgrader_cell", has=page.locator("#why"))
        assert answer.locator("strong").inner_text() == "x + x"
        assert answer.locator("td").all_inner_texts() == ["1", "2"]
        assert page.locator("text=Because").count() == 1
        page.wait_for_timeout(300)  # an attack that works would have worked by now
        assert page.evaluate("window.attacked") is None
        assert answer.locator("a[href^='javascript']").count() == 0

        assert "needs_manual_grade" in page.locator("#why").get_attribute("class")
        type_and_leave(page, "#why", "3.5", "grade")
        type_and_leave(page, "#why-comment", "Say what twice means.", "comment")

        row = marks(course, week)[0]
        assert (row.student, row.score, row.questions["why"], row.needs_manual) == ("s01", 8.5, 3.5, False)
        record(course, week, results)
        assert marks(course, week)[0] == row
        page.reload()
        page.wait_for_function("document.querySelector('#why').value === '3.5'")
        page.wait_for_function("document.querySelector('#why-comment').value === 'Say what twice means.'")

        # The server goes on with what another process recorded meanwhile.
        record(course, week, [result("s01", (0.0, 3.0), submission="2"), *results[1:]])
        page.reload()
        placeholder(page, "#double_values", "0")
        answer.get_by_role("button", name="Resolve").wait_for()

        page.goto(f"{address}/formgrader/{pages['s02']}")
        page.locator("#why-comment").wait_for()
        placeholder(page, "#why-comment", "No response.")
        page.goto(f"{address}/formgrader/{pages[HOSTILE]}")
        page.locator("#double_values").wait_for()
        page.wait_for_timeout(300)
        assert page.evaluate("window.attacked") is None
    # MathJax comes from the network, which this page does not have: formulas stay as typed, all else works.
    assert set(errors) <= {"MathJax is not defined"}


def press(page, student, button):
    """Press a button in the row of a submission, and read the window that says what came of it."""
    row = page.locator("tr", has=page.locator(f"td:text-is('{student}')"))
    row.locator(f".{button} a").click()
    window = page.locator(".modal.in, .modal.show")
    window.wait_for(timeout=120_000)
    words = window.inner_text()
    window.get_by_label("Close").click()
    window.wait_for(state="detached")
    return words


@pytest.mark.slow
def test_what_a_ta_types_reaches_the_student_and_the_buttons_are_ours(folders, tmp_path, page):
    """From Canvas' .zip to Canvas' sheet: collected, graded, marked in a browser, returned with nbgrader's buttons."""
    root, home = folders
    course, week = make_course(root)
    release(course, week)
    (root / "roster.csv").write_text("Student,ID,SIS Login ID\nAnn,101,s01\nBo,102,s02\n")
    wrong = "def double(x):\n    return x + 2"
    with zipfile.ZipFile(tmp_path / "submissions.zip", "w") as archive:
        for number, student, answer in ((101, "s01", wrong), (102, "s02", wrong.replace("2", "x"))):
            answers = {"double": answer, "why": f"Because {student} says so."}
            notebook = fill(course.master(week), answers)
            archive.writestr(f"name{number}_{number}_9_attention.ipynb", notebook)
    assert course_program(root, "collect", week.name, str(tmp_path / "submissions.zip")).returncode == 0
    assert course_program(root, "grade").returncode == 0
    before = (course.autograded("s01", week) / "result.json").read_bytes()

    with served(root, home) as address:
        page.goto(f"{address}/formgrader/manage_assignments?token={TOKEN}")
        page.get_by_role("link", name="week1_attention", exact=True).wait_for()
        pages = pages_of(course)
        # What is typed before the page has fetched marks and comments reaches nobody.
        page.goto(f"{address}/formgrader/{pages['s01']}", wait_until="networkidle")
        page.wait_for_function("document.querySelector('#double_hidden').placeholder !== ''")
        type_and_leave(page, "#why", "2.5", "grade")
        type_and_leave(page, "#double_hidden", "1", "grade")
        type_and_leave(page, "#double-comment", "Try a <negative> number.", "comment")
        type_and_leave(page, "#why-comment", "Who is s01?", "comment")

        page.goto(f"{address}/formgrader/manage_submissions/week1_attention")
        said = press(page, "s01", "autograde")
        assert "Success" in said and "0 graded, 1 unchanged" in said, said
        assert (course.autograded("s01", week) / "result.json").read_bytes() == before
        said = press(page, "s01", "generate-feedback")
        assert "Success" in said and "1 page" in said, said
        assert not course.feedback("s02", week).exists()
        said = press(page, "s01", "release-feedback")
        assert "There is no exchange folder" in said

        # A submission that has changed is graded anew, by ours, and the mark waits for another look.
        path = course.submitted("s02", week) / "attention.ipynb"
        assert "return x + x" in path.read_text(encoding="utf-8")
        path.write_text(path.read_text(encoding="utf-8").replace("x + x", "x - x"), encoding="utf-8")
        assert "Success" in press(page, "s02", "autograde")
        assert {row.student: row.score for row in marks(course, week)} == {"s01": 5.5, "s02": 0.0}

        # The other buttons are not shown without an exchange folder; what they would ask for is refused as well.
        token = next(cookie["value"] for cookie in page.context.cookies() if cookie["name"] == "_xsrf")
        for button in ("release", "unrelease", "collect", "release_feedback"):
            answer = page.request.post(
                f"{address}/formgrader/api/assignment/week1_attention/{button}",
                headers={"X-XSRFToken": token},
            ).json()
            assert not answer["success"] and re.search("`course |feedback/", answer["log"])

        page.goto(f"{address}/formgrader/manage_assignments")
        page.get_by_role("link", name="week1_attention", exact=True).wait_for()
        page.locator("td.assign a").click()
        window = page.locator(".modal.in, .modal.show")
        window.wait_for(timeout=120_000)
        assert "Success" in window.inner_text()

    text = (course.feedback("s01", week) / "attention.html").read_text(encoding="utf-8")
    assert "<strong>5.5</strong> of 9 points</p>" in text
    assert "Try a &lt;negative&gt; number." in text and "Who is s01?" in text
    assert "3 of 3 points, given by hand" not in text and "1 of 3 points, given by hand" in text
    assert "negative numbers are not doubled" in text and "assert double(-3)" not in text
    sheet = course_program(root, "export", "week1_attention").stdout
    assert "s01,graded,5.5,9,3,2.5,0,0,no" in sheet
    canvas = tmp_path / "gradebook.csv"
    canvas.write_text(
        "Student,ID,SIS Login ID,week1_attention (9),Other (10)\n    Points Possible,,,9,5\n"
        "Ann,101,s01,,=1\nBo,102,s02,4,5\n"
    )
    done = course_program(root, "export", week.name, "--to", "canvas", "--into", str(canvas))
    assert done.stdout.splitlines()[2:] == ["Ann,101,s01,5.5,=1", "Bo,102,s02,0,5"], done.stderr


@pytest.mark.slow
def test_a_page_that_takes_too_long_holds_up_nobody_and_can_be_marked(folders):
    """Lines of blanks keep pygments busy for hours: the page comes without colours, and others meanwhile."""
    root, home = folders
    course, week = make_course(root)
    release(course, week)
    results = [result("s01"), result("s02")]
    write_autograded(course, "s01", "Because **x + x**.")
    write_autograded(course, "s02", f"**Because**\n\n```python\nx{BLANKS}y\n```")
    record(course, week, results)
    with served(root, home) as address, ThreadPoolExecutor() as pool:
        pages = pages_of(course)

        def get(path):
            began = time.monotonic()
            with urllib.request.urlopen(f"{address}/formgrader/{path}?token={TOKEN}", timeout=120) as answer:
                return answer.read().decode(), time.monotonic() - began

        text, _ = get(pages["s01"])
        assert "<strong>x + x</strong>" in text and 'id="why"' in text
        slow = pool.submit(get, pages["s02"])
        time.sleep(1)
        for path in ("manage_submissions/week1_attention", pages["s01"]) * 3:
            assert get(path)[1] < 5, path
        assert not slow.done(), "the page was to take long"
        text, seconds = slow.result()
        assert seconds < 90 and 'id="why"' in text and "**Because**" in text


@pytest.mark.slow
@pytest.mark.parametrize("command", first(1, ["autograde", "generate_feedback"]))
def test_plain_nbgrader_is_refused_before_it_touches_anything(tmp_path, command):
    course, week = make_course(tmp_path)
    release(course, week)
    hand_in(course, "s01")
    leave_result(course, result("s01"), "Because.")
    (course.feedback("s01", week)).mkdir(parents=True)
    (course.feedback("s01", week) / "attention.html").write_text("ours")

    def files():
        return {path: path.read_bytes() for path in tmp_path.glob("[af]*/**/*") if path.is_file()}

    before = files()
    done = nbgrader(tmp_path, command, week.name, "--force", told=False)
    assert done.returncode == 1 and "Traceback" not in done.stderr
    instead = {"autograde": "`course grade`", "generate_feedback": "`course feedback`"}[command]
    assert instead in done.stderr and "PLAIN_NBGRADER=1" in done.stderr
    assert files() == before and len(before) == 3


def test_what_nobody_reads_to_its_end_is_cut():
    short, long = new_code_cell("x = 1"), new_markdown_cell("*a* " * 50_000)
    some = [short.copy(), *(long.copy() for _ in range(5)), short]
    cut, _ = Safe().preprocess(new_notebook(cells=some), {})
    first, *middle, last = (cell.source for cell in cut.cells)
    assert first == "x = 1"
    assert [len(text.partition("\n\n[")[0]) for text in middle] == [50_000] * 3 + [49_995, 0]
    assert middle[0].endswith("[150000 more characters are not shown here. They are in the notebook.]")
    assert last == "\n\n[5 more characters are not shown here. They are in the notebook.]"
