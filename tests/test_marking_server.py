"""`course review --serve` as people use it: in real browsers, two at once, with keys, without scripts, and attacked."""

import contextlib
import re
import resource
import select
import signal
import socket
import subprocess
import time
import urllib.error
import urllib.parse
import urllib.request
from itertools import product

import psutil
import pytest
from axe_playwright_python.sync_playwright import Axe
from command import course_here, course_process
from quick import first
from small_course import leave_result, make_course, result
from test_marking import ANSWERS, fill

from coursekit.deliver.marking import store
from coursekit.deliver.marking.server import MAX_CONNECTIONS
from coursekit.gradebook.marks import marks
from coursekit.gradebook.record import record


def address_of(program):
    said = []
    for line in program.stdout:
        said.append(line)
        if address := re.search(r"http://127\.0\.0\.1:\d+/[\w-]{32}/", line):
            return address[0]
    pytest.fail("".join(said))


@contextlib.contextmanager
def serving(root, *options):
    """The program as a TA starts it; gives its address."""
    program = course_process(root, "review", "--serve", *options, stderr=subprocess.STDOUT)
    try:
        yield address_of(program)
    finally:
        program.terminate()
        said = program.stdout.read()
        assert "Traceback" not in said, said


@pytest.fixture
def course_and_week(tmp_path):
    course, week = make_course(tmp_path)
    fill(course, week)
    return course, week


@pytest.fixture
def address(course_and_week):
    with serving(course_and_week[0].root, "--names") as there:
        yield there


@pytest.fixture(scope="module")
def lasting(tmp_path_factory):
    """(course, week, address) of one server for all tests that leave the other answers as they are."""
    course, week = make_course(tmp_path_factory.mktemp("served"))
    fill(course, week)
    with serving(course.root, "--names") as there:
        yield course, week, there


@pytest.fixture
def person(chromium):
    """Opens a page as another person would: in a browser context of its own."""
    contexts = []

    def opened(address, who="Ann", question="why", **options):
        contexts.append(chromium.new_context(**options))
        page = contexts[-1].new_page()
        page.set_default_timeout(60_000)
        page.goto(f"{address}{who}/week1_attention/{question}")
        return page

    yield opened
    for context in contexts:
        context.close()


def ask(address, path="", data=None, **headers):
    """(status, headers, body) of a request that no browser makes."""
    body = urllib.parse.urlencode(data, doseq=True).encode() if data is not None else None
    request = urllib.request.Request(address + path, data=body, headers=headers)
    try:
        try:
            response = urllib.request.urlopen(request, timeout=60)
        except urllib.error.HTTPError as error:
            response = error
        with response:
            return response.status, response.headers, response.read().decode()
    except (OSError, urllib.error.URLError):  # closed before it had read everything
        return 0, {}, ""


def until(page, expression):
    """Waits until it is true. The policy of these pages forbids playwright's own way."""
    for _ in range(600):
        if page.evaluate(expression):
            return
        page.wait_for_timeout(100)
    pytest.fail(f"never true: {expression}")


def of_student(page, text):
    return page.locator(".answer", has=page.locator("pre", has_text=text))


def add_item(page, text, points):
    form = page.locator(".rubric-item").last
    form.locator("textarea").fill(text)
    form.locator("[name=points]").fill(points)
    before = page.locator(".rubric-item").count()
    form.get_by_role("button", name="Add").click()
    until(page, f"document.querySelectorAll('.rubric-item').length === {before + 1}")


def saved(page, text):
    of_student(page, text).locator(".notice", has_text="Saved.").wait_for()


def test_who_does_not_have_the_address_gets_nothing(lasting):
    course, week, address = lasting
    host = urllib.parse.urlsplit(address).netloc
    path = "Ann/week1_attention/why"
    student = store.read(course, week, course.master(week).questions[-1]).answers["s01"]
    page = ask(address, path)
    assert page[0] == 200 and "Why a sum?" in page[2], "the way there is right"
    key = re.search(r'id="a-(\w+)" data-version="' + student.version, page[2])[1]
    mark = {"answer": key, "seen": student.version, "points": "4", "comment": ""}
    wrong = [
        ask(f"http://{host}/", path),
        ask(f"http://{host}/{'x' * 32}/", path),
        ask(f"http://{host}/{'x' * 32}/", path + "/mark", mark),
        ask(address, path + "/mark", mark, Origin="http://evil.example"),
        ask(address, path + "/mark", mark, Origin="null"),
        ask(address, path + "/mark", mark, Origin=f"http://localhost:{host.rpartition(':')[2]}"),
        ask(address, path + "/mark", mark, Host=f"evil.example:{host.rpartition(':')[2]}"),
        ask(address, path, Host="evil.example"),
        ask(address, "Ann/week1_attention/none"),
        ask(address, "Ann/week9/why"),
        ask(address, "Ann/week1_attention/why?answer=1"),
    ]
    assert [status for status, _, _ in wrong] == [404, 404, 404, 403, 403, 403, 403, 403, 404, 404, 404]
    assert not any("Traceback" in body or key in body for _, _, body in wrong)
    assert ask(address, path + "/mark", mark | {"comment": "x" * 2_000_000})[0] != 200
    assert marks(course, week)[0].questions["why"] is None
    assert ask(address, path + "/mark", mark, Origin=f"http://{host}")[0] == 200
    assert marks(course, week)[0].questions["why"] == 4.0, "the same request from the right place marks"


def test_it_listens_on_this_machine_alone(lasting):
    port = urllib.parse.urlsplit(lasting[2]).port
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        probe.connect(("192.0.2.1", 9))  # sends nothing: it only asks which address this machine would use
        outside = probe.getsockname()[0]
    if outside.startswith("127."):
        pytest.skip("this machine has no address but its own")
    socket.create_connection(("127.0.0.1", port), 5).close()
    with pytest.raises(OSError):
        socket.create_connection((outside, port), 5)


@pytest.mark.slow
def test_silent_connections_hold_up_nobody(course_and_week):
    """As many as a process may usually have files open, and more. Up to the limit, none is closed."""
    many = 1100
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    assert hard == resource.RLIM_INFINITY or hard > many + 200, "This test opens 1,100 sockets."
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (many + 200, hard))
    silent = []
    try:
        with serving(course_and_week[0].root, "--names") as address:
            resource.prlimit(pid_of(address), resource.RLIMIT_NOFILE, (1024, 1024))
            port = urllib.parse.urlsplit(address).port
            for number in range(many):
                silent.append(socket.create_connection(("127.0.0.1", port), 30))
                if number % 2:
                    silent[-1].sendall(b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 9\r\n\r\n")
                if number == MAX_CONNECTIONS - 2:
                    assert ask(address, "Ann/")[0] == 200 and not select.select(silent, [], [], 0)[0]
            started = time.monotonic()
            status, _, _ = ask(address, "Ann/")
            assert status == 200 and time.monotonic() - started < 20
    finally:
        for one in silent:
            one.close()
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


def pid_of(address):
    """The process of ours that listens there."""
    port = urllib.parse.urlsplit(address).port
    for child in psutil.Process().children():
        with contextlib.suppress(psutil.AccessDenied):  # a fork server lets nobody look
            if any(
                one.laddr.port == port for one in child.net_connections() if one.status == psutil.CONN_LISTEN
            ):
                return child.pid
    return None


def test_a_page_of_another_origin_cannot_mark(lasting, person):
    """Not even one that has somehow learned the whole address: the browser says where a form comes from."""
    course, week, address = lasting
    question = course.master(week).questions[-1]
    page = person(address)
    card = of_student(page, "Because.")
    fields = {name: card.locator(f"[name={name}]").input_value() for name in ("answer", "seen")}
    fields |= {"points": "4", "comment": "attacked"}
    inputs = "".join(f'<input name="{name}" value="{value}">' for name, value in fields.items())
    target = f"{address}Ann/week1_attention/why/mark"
    evil = f'<form method="post" action="{target}">{inputs}<button>go</button></form>'

    page.route("http://localhost:9/**", lambda route: route.fulfill(body=evil, content_type="text/html"))
    page.goto("http://localhost:9/")
    with page.expect_response(target) as answered:
        page.get_by_role("button").click()
    assert answered.value.status == 403
    assert "frame-ancestors 'none'" in answered.value.headers["content-security-policy"], (
        "nor can it frame one"
    )
    assert store.read(course, week, question).answers["s03"].points is None


def test_what_students_write_does_not_run(lasting, person):
    page = person(lasting[2])
    assert of_student(page, "window.attacked").count() == 1
    page.wait_for_timeout(300)
    assert page.evaluate("window.attacked") is None
    page.evaluate("document.body.insertAdjacentHTML('beforeend', '<img src=x onerror=window.attacked=3>')")
    page.wait_for_timeout(300)
    assert page.evaluate("window.attacked") is None, "the policy holds even where escaping would not"


@pytest.mark.slow
def test_marking_with_keys(course_and_week, address, person):
    course, week = course_and_week
    page = person(address)
    assert page.locator(".answer").count() == len(ANSWERS), "none is left out"
    add_item(page, "Says what twice means.", "2")
    add_item(page, "No example.", "-0,5")
    of_student(page, "Twice means").focus()
    page.keyboard.press("1")
    saved(page, "Twice means")
    assert page.locator("#rubric .uses").all_inner_texts() == ["1", "0"]
    page.keyboard.press("2")
    of_student(page, "Twice means").locator(".standing", has_text="1.5 points").wait_for()
    page.keyboard.press("c")
    page.keyboard.type("And yours?")
    page.keyboard.press("Control+Enter")
    until(page, "document.activeElement.classList.contains('waits')")
    assert "<script>" in page.locator(":focus pre").inner_text(), "on to the next that waits"
    page.keyboard.press("p")
    page.keyboard.type("9")
    page.keyboard.press("Enter")
    page.locator(".notice", has_text="Points are a number from 0 to 4").wait_for()
    assert page.evaluate("document.activeElement.name") == "points", (
        "and no further with what cannot be saved"
    )
    page.keyboard.press("Control+a")
    page.keyboard.type("3,5")
    page.keyboard.press("Enter")
    until(page, "document.activeElement.querySelector('pre')?.textContent.includes('Because.')")
    page.keyboard.press("k")
    page.keyboard.press("j")
    page.keyboard.press("2")
    saved(page, "Because.")
    page.locator("#progress", has_text="4 of 4 marked").wait_for()
    page.keyboard.press("u")
    page.locator("#progress", has_text="3 of 4 marked").wait_for()
    assert page.evaluate("document.activeElement.querySelector('pre')?.textContent.includes('Because.')")
    rows = {row.student: (row.questions["why"], row.comments.get("why", "")) for row in marks(course, week)}
    assert rows == {
        "s01": (1.5, "Says what twice means. (2 points)\nNo example. (−0.5 points)\nAnd yours?"),
        "s02": (3.5, ""),
        "s03": (None, ""),
        "s04": (0.0, ""),
    }
    page.close(run_before_unload=True)


@pytest.mark.slow
def test_marking_without_scripts(course_and_week, address, person):
    course, week = course_and_week
    page, other = person(address, java_script_enabled=False), person(address, "Bo", java_script_enabled=False)
    form = page.locator(".rubric-item").last
    form.locator("textarea").fill("Right.")
    form.locator("[name=points]").fill("4")
    form.get_by_role("button", name="Add").click()
    card = of_student(page, "Because.")
    card.locator("[name=item]").check()
    card.get_by_role("button", name="Save").click()
    assert page.url.endswith(f"#a-{card.locator('[name=answer]').input_value()}")
    assert "4 points." in card.locator(".standing").inner_text()
    late = of_student(other, "Because.")
    late.locator("[name=points]").fill("1")
    late.locator("textarea").fill("Too short, I think.")
    late.get_by_role("button", name="Save").click()
    assert "by Ann" in other.locator(".problem").inner_text()
    assert "4 points." in late.locator(".standing").inner_text(), "theirs is shown"
    assert late.locator("textarea").input_value() == "Too short, I think.", (
        "and what was typed is still there"
    )
    assert late.locator("[name=points]").input_value() == "1"
    late.get_by_role("button", name="Save").click()
    row = next(row for row in marks(course, week) if row.student == "s03")
    assert (row.questions["why"], row.comments["why"]) == (1.0, "Too short, I think."), (
        "said twice, it counts"
    )
    page.goto(f"{address}Ann/week1_attention/why")
    page.get_by_role("button", name="Undo").click()
    assert "so it was not undone" in page.locator(".problem").inner_text()


@pytest.mark.slow
def test_two_people_mark_at_once_and_nothing_is_lost(tmp_path, person):
    """Forty answers by two people in two browsers, rubric changes between, and a regrade after it."""
    course, week = make_course(tmp_path)
    names = [f"s{number:02}" for number in range(40)]
    some = [result(name) for name in names]
    for name, one in zip(names, some, strict=True):
        leave_result(course, one, f"The answer of {name}.")
    record(course, week, some)
    with serving(course.root, "--names") as address:
        ann, bo = person(address, "Ann"), person(address, "Bo")
        add_item(ann, "Right.", "3")
        bo.locator("#answers [name=item]").first.wait_for()  # it arrives by itself
        add_item(bo, "Short.", "-1")
        ann.locator(".answer").first.locator("[name=item]").nth(1).wait_for()
        for number in range(20):
            of_student(ann, f"of {names[number]}.").focus()
            ann.keyboard.press("1")
            of_student(bo, f"of {names[39 - number]}.").focus()
            bo.keyboard.press("1")
            if number % 5 == 0:
                bo.keyboard.press("c")
                bo.keyboard.type(f"Bo on {names[39 - number]}.")
                bo.keyboard.press("Control+Enter")
        for page in (ann, bo):
            page.locator("#progress", has_text="40 of 40 marked").wait_for()

        # Both have the same answer before them: the second is told, and decides.
        for page in (ann, bo):
            of_student(page, "of s07.").locator("[name=points]").click()
        ann.keyboard.type("2")
        bo.keyboard.type("1")
        ann.keyboard.press("Enter")
        ann.locator(".standing", has_text="2 points").wait_for()
        bo.keyboard.press("Enter")
        card = of_student(bo, "of s07.")
        card.locator(".notice", has_text="by Ann").wait_for()
        assert card.locator("[name=points]").input_value() == "1" and "2 points" in card.inner_text()
        card.get_by_role("button", name="Keep theirs").click()
        until(bo, "document.activeElement.querySelector('[name=points]')?.value === '2'")

        # A changed item reaches all, and the other browser.
        ann.locator(".rubric-item").first.locator("[name=points]").fill("4")
        ann.locator(".rubric-item").first.get_by_role("button", name="Change for all").click()
        of_student(bo, "of s39.").locator(".standing", has_text="4 points").wait_for()
    rows = {row.student: row for row in marks(course, week)}
    wanted = dict.fromkeys(names, 4.0) | {"s07": 2.0}
    assert {name: row.questions["why"] for name, row in rows.items()} == wanted
    spoken = {names[39 - number] for number in range(0, 20, 5)}
    for name in names:
        lines = rows[name].comments["why"].splitlines()
        assert lines == ["Right. (4 points)", *([f"Bo on {name}."] if name in spoken else [])]
    record(course, week, [result(name, submission="2") for name in names])
    again = {row.student: row for row in marks(course, week)}
    assert {name: (row.comments, row.by_people) for name, row in again.items()} == {
        name: (row.comments, row.by_people) for name, row in rows.items()
    }


@pytest.mark.slow
def test_what_cannot_be_sent_is_sent_again(course_and_week, address, person):
    course, week = course_and_week
    page = person(address)
    context = page.context
    context.set_offline(True)
    card = of_student(page, "Because.")
    card.locator("textarea").fill("Written in a tunnel.")
    card.locator("textarea").blur()
    card.locator(".notice", has_text="It is tried again").wait_for()
    assert "why" not in marks(course, week)[2].comments
    context.set_offline(False)
    saved(page, "Because.")
    assert marks(course, week)[2].comments["why"] == "Written in a tunnel."


@pytest.mark.slow
def test_a_comment_for_all_that_failed_in_one_way(tmp_path, person):
    course, week = make_course(tmp_path)
    some = [result("a", (0.0, 0.0)), result("b", (0.0, 0.0)), result("c")]
    for one in some:
        leave_result(course, one, "An answer.")
    record(course, week, some)
    with serving(course.root) as address:
        page = person(address, question="double")
        assert page.locator(".answer h3").count() == 3
        assert all(
            re.fullmatch("s-[0-9a-f]{6}", name) for name in page.locator(".answer h3").all_inner_texts()
        )
        form = page.locator(".rubric-item").last
        form.locator("textarea").fill("Add, do not multiply.")
        form.get_by_role("button", name="Add").click()
        page.locator(".all").get_by_role("button", name="Give").click()
        page.locator(".answer .standing", has_text="Ann").nth(1).wait_for()
        assert page.locator(".answer .standing", has_text="Ann").count() == 2
        assert page.locator("h2", has_text="All tests passed 1 answer").count() == 1
    comments = {row.student: row.comments.get("double") for row in marks(course, week)}
    assert comments == {"a": "Add, do not multiply.", "b": "Add, do not multiply.", "c": None}


@pytest.mark.slow
@pytest.mark.parametrize(("width", "scheme"), first(1, product((1280, 390), ("light", "dark"))))
def test_the_pages_are_accessible(address, person, width, scheme):
    page = person(address, viewport={"width": width, "height": 900}, color_scheme=scheme)
    if width == 1280:
        add_item(page, "Says what twice means.", "2")
    for path in ("Ann/week1_attention/why", "Ann/week1_attention/double", "Ann/", ""):
        page.goto(address + path)
        found = Axe().run(page).response["violations"]
        assert not found, [(one["id"], one["nodes"][0]["html"]) for one in found]
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


def test_what_cannot_be_served_says_why(course_and_week):
    root = course_and_week[0].root
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = str(taken.getsockname()[1])
        done = course_here(root, "review", "--serve", "--port", port)
    assert done.returncode == 2 and f"Port {port} cannot be used" in done.stderr
    done = course_here(root, "review", "--port", "8000")
    assert done.returncode == 2 and "--port is only for --serve" in done.stderr
    (root / "gradebook.db").write_bytes(b"no database" * 100)
    done = course_here(root, "review", "--serve")
    assert done.returncode == 2 and "is damaged" in done.stderr, done.stderr


@pytest.mark.slow
def test_a_gradebook_that_breaks_meanwhile_is_a_sentence(course_and_week, address):
    path = "Ann/week1_attention/why"
    key, seen = re.search(r'id="a-(\w+)" data-version="(\w+)"', ask(address, path)[2]).groups()
    (course_and_week[0].root / "gradebook.db").write_bytes(b"no database" * 100)
    mark = {"answer": key, "seen": seen, "points": "4", "comment": ""}
    for answer in (ask(address, path), ask(address, "Ann/"), ask(address, path + "/mark", mark)):
        assert answer[0] == 503 and "is damaged" in answer[2] and "Traceback" not in answer[2]


def test_ctrl_c_ends_it_quietly(course_and_week):
    program = course_process(course_and_week[0].root, "review", "--serve", stderr=subprocess.STDOUT)
    assert address_of(program)
    program.send_signal(signal.SIGINT)
    assert (program.stdout.read(), program.wait(60)) == ("", 0)
