"""`course serve` as students, programs and strangers use it: a real server, real kernels, files on the disk."""

import contextlib
import csv
import hashlib
import http.client
import io
import json
import re
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
from datetime import UTC, datetime, timedelta

import psutil
import pytest
from axe_playwright_python.sync_playwright import Axe
from command import course_here, course_process
from small_course import RIGHT, add_second_week, make_course

from coursekit.course.config import HandIns
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import fill
from coursekit.gradebook.marks import marks
from coursekit.serve.store import DEATHS, FAILED, GRADED, GRADING, REPLACED, WAITING, NoAttempts, Store

WEEK = "week1_attention"
WRONG = {"double": "def double(x):\n    return x * x", "why": "A square."}
NOW = datetime(2027, 3, 1, 12, tzinfo=UTC)


def always(received_at):
    return True


STAFF = {}  # {address of a server: that of its page for staff}


@contextlib.contextmanager
def serving(root, *options):
    """The program as an operator starts it; gives its address."""
    program = course_process(root, "serve", "--port", "0", *options, stderr=subprocess.STDOUT)
    said = []
    try:
        for line in program.stdout:
            said.append(line)
            if staff := re.search(r"(http://127\.0\.0\.1:\d+)/staff/\S+", line):
                break
        else:
            pytest.fail("".join(said))
        STAFF[staff[1]] = staff[0]
        yield staff[1]
    finally:
        program.terminate()
        said.append(program.stdout.read())
        assert "Traceback" not in "".join(said), "".join(said)


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    root = tmp_path_factory.mktemp("served")
    made, _ = make_course(root)
    (root / "roster.csv").write_text("student id,name\nada,Ada\nbob,Bob\neve,Eve\n")
    return made


@pytest.fixture(scope="module")
def codes(course):
    done = course_here(course.root, "codes")
    assert done.returncode == 0, done.stderr
    return {row["student"]: row["code"] for row in csv.DictReader(io.StringIO(done.stdout))}


@pytest.fixture(scope="module")
def address(course, codes):
    with serving(course.root) as there:
        yield there


def ask(address, path, code, data=None, **headers):
    """(status, answer) of the API."""
    request = urllib.request.Request(
        f"{address}/api/v1/{path}", data, {"Authorization": f"Bearer {code}"} | headers
    )
    try:
        with urllib.request.urlopen(request, timeout=60) as answer:
            return answer.status, json.load(answer)
    except urllib.error.HTTPError as error:
        return error.code, json.load(error)


def notebook(course, answers=RIGHT, remark=""):
    data = fill(course.master(course.weeks[0]), answers)
    return data + remark.encode()  # white space behind the JSON makes another file of it


def hand_in(address, code, data):
    """The last answer about what is handed in, when it has ended."""
    status, answer = ask(address, f"weeks/{WEEK}/hand-ins", code, data)
    assert status in (200, 201), answer
    while answer["state"] in (WAITING, GRADING):
        status, answer = ask(address, f"hand-ins/{answer['id']}?wait=20", code)
        assert status == 200, answer
    return answer


def until(holds, seconds=60):
    end = time.monotonic() + seconds
    while not (found := holds()):
        assert time.monotonic() < end, "it never came"
        time.sleep(0.05)
    return found


def recorded_points(course, student):
    """A student's points in the gradebook; None if there are none."""
    with contextlib.suppress(CourseError):
        return marks(course, course.weeks[0], student)[0].score
    return None


def test_a_hand_in_is_graded_and_counts_as_if_it_had_been_collected(course, codes, address):
    data = notebook(course, RIGHT)
    answer = hand_in(address, codes["ada"], data)
    assert (answer["score"], answer["max_score"], answer["answered"], answer["of"]) == (5, 5, 2, 2)
    assert answer["receipt"] == hashlib.sha256(data).hexdigest()[:12]
    by_hand = next(question for question in answer["questions"] if question["id"] == "why")
    assert by_hand["score"] is None
    folder = course.submitted("ada", course.weeks[0])
    until(lambda: (folder / "timestamp.txt").exists())
    assert (folder / "attention.ipynb").read_bytes() == data
    until(lambda: recorded_points(course, "ada") == 5)
    # A worse one afterwards does not count.
    worse = hand_in(address, codes["ada"], notebook(course, WRONG))
    assert worse["score"] == 2  # 2 * 2 is 2 + 2
    _, week = ask(address, f"weeks/{WEEK}", codes["ada"])
    assert week["counts"] == answer["id"]
    # Nothing is left to do for `course grade`.
    done = until(lambda: course_here(course.root, "grade", "--json", "--student", "ada").stdout)
    assert json.loads(done)[WEEK]["unchanged"] == ["ada"]


def test_the_same_bytes_are_one_hand_in(course, codes, address):
    data = notebook(course, RIGHT, " ")
    first = hand_in(address, codes["bob"], data)
    status, again = ask(address, f"weeks/{WEEK}/hand-ins", codes["bob"], data)
    assert (status, again["id"], again["new"]) == (200, first["id"], False)
    assert "9 attempts left" in again["attempts"]


def test_nobody_reaches_what_is_anothers(course, codes, address):
    """By an id, a path, a session, or a code that was taken away."""
    mine = hand_in(address, codes["ada"], notebook(course, RIGHT))
    assert ask(address, f"hand-ins/{mine['id']}", codes["ada"])[0] == 200
    assert ask(address, f"hand-ins/{mine['id']}", codes["eve"])[0] == 404
    for code in ("", "x", codes["ada"][:-1], codes["ada"] + "0"):
        assert ask(address, f"hand-ins/{mine['id']}", code)[0] == 401
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    form = urllib.parse.urlencode({"code": codes["eve"], "next": f"/hand-ins/{mine['id']}"}).encode()
    with pytest.raises(urllib.error.HTTPError) as refused:
        browser.open(f"{address}/login", form)
    assert refused.value.code == 404
    assert "Signed in as" in browser.open(f"{address}/").read().decode()
    for path in ("/hand_ins.db", "/files/", "/../course.toml", f"/hand-ins/{mine['id'][:-1]}_"):
        with pytest.raises(urllib.error.HTTPError) as refused:
            browser.open(address + path)
        assert refused.value.code == 404
    assert course_here(course.root, "codes", "--revoke", "eve").returncode == 0
    assert "personal code" in browser.open(f"{address}/").read().decode()  # the session has ended, too
    assert ask(address, f"weeks/{WEEK}", codes["eve"])[0] == 401


def test_a_student_reads_the_page_of_a_hand_in(course, codes, address):
    mine = hand_in(address, codes["ada"], notebook(course, WRONG))
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor())
    assert "personal code" in browser.open(f"{address}/hand-ins/{mine['id']}").read().decode()
    form = urllib.parse.urlencode({"code": codes["ada"].upper(), "next": f"/hand-ins/{mine['id']}"}).encode()
    page = browser.open(f"{address}/login", form).read().decode()
    assert "What to look at" in page
    assert "2 of 5" in page
    home = browser.open(f"{address}/").read().decode()
    assert mine["receipt"] in home
    assert home.count("This one counts.") == 1
    browser.open(f"{address}/logout", b"")
    assert "personal code" in browser.open(f"{address}/").read().decode()


def test_a_login_leads_nowhere_else(codes, address):
    class Stay(urllib.request.HTTPRedirectHandler):
        def redirect_request(self, *_):
            return None

    browser = urllib.request.build_opener(Stay)
    for target in ("https://example.org/", "//example.org", "/\\example.org", "/hand-ins/../logout"):
        form = urllib.parse.urlencode({"code": codes["bob"], "next": target}).encode()
        with pytest.raises(urllib.error.HTTPError) as moved:
            browser.open(f"{address}/login", form)
        assert urllib.parse.urlsplit(moved.value.headers["Location"]).netloc == ""
        assert moved.value.headers["Location"].startswith("/")
        assert not moved.value.headers["Location"].startswith(("//", "/\\"))


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Host": "example.org"}, 403),
        ({"Origin": "https://example.org"}, 403),
        ({"Origin": "null"}, 403),
    ],
)
def test_foreign_names_and_pages_are_refused(course, codes, address, headers, status):
    data = notebook(course)
    assert ask(address, f"weeks/{WEEK}/hand-ins", codes["ada"], data, **headers)[0] == status


def test_bad_requests_get_a_sentence(course, codes, address):
    path = f"weeks/{WEEK}/hand-ins"
    for data, where, status in (
        (b"", path, 400),
        (b" \n", path, 400),
        (b"x", "weeks/week9_none/hand-ins", 404),
        (b"x" * ((20 << 20) + 1), path, 413),
    ):
        got, answer = ask(address, where, codes["bob"], data)
        assert got == status
        assert answer["message"].endswith((".", "?"))
    assert ask(address, "hand-ins/none", codes["bob"])[0] == 404


def test_the_table_and_its_sum_agree_on_what_is_answered(course, codes, address):
    """The untouched written answer is no answer, in either place."""
    answer = hand_in(address, codes["bob"], notebook(course, {"double": RIGHT["double"]}))
    assert {one["id"]: one["answered"] for one in answer["questions"]} == {"double": True, "why": False}
    assert (answer["answered"], answer["of"]) == (1, 2)


def test_what_is_no_notebook_ends_in_a_result_too(codes, address):
    answer = hand_in(address, codes["bob"], b"\x00 no notebook")
    assert (answer["state"], answer["score"]) == (GRADED, 0)


def test_strangers_fill_no_memory(course, address):
    """What arrives without a code is dropped, and answered when it has ended."""
    host, port = address.removeprefix("http://").split(":")
    server = psutil.Process(listener(int(port)))
    before = server.memory_info().rss
    connections = []
    for _ in range(5):
        connection = socket.create_connection((host, int(port)), timeout=30)
        connection.sendall(
            f"POST /api/v1/weeks/{WEEK}/hand-ins HTTP/1.1\r\nHost: {host}:{port}\r\n"
            f"Content-Length: {10 << 20}\r\n\r\n".encode()
        )
        connection.sendall(b"x" * ((10 << 20) - 1))  # all but the last byte
        connections.append(connection)
    assert server.memory_info().rss - before < 20 << 20
    for connection in connections:
        connection.sendall(b"x")
        assert b" 401 " in connection.recv(100)
        connection.close()


def listener(port):
    """The process that listens on a port of this machine."""
    return next(
        one.pid
        for one in psutil.net_connections("tcp")
        if one.status == psutil.CONN_LISTEN and one.laddr.port == port
    )


def test_one_student_s_slow_uploads_block_nobody(course, codes, address):
    host, port = address.removeprefix("http://").split(":")
    slow = []
    for _ in range(2):
        connection = http.client.HTTPConnection(host, int(port), timeout=10)
        connection.putrequest("POST", f"/api/v1/weeks/{WEEK}/hand-ins")
        connection.putheader("Authorization", f"Bearer {codes['bob']}")
        connection.putheader("Content-Length", "1000000")
        connection.endheaders()
        connection.send(b"{")
        slow.append(connection)
    until(lambda: "course_arriving 2\n" in urllib.request.urlopen(f"{address}/metrics").read().decode())
    status, answer = ask(address, f"weeks/{WEEK}/hand-ins", codes["bob"], b"x")
    assert (status, answer["message"][:23]) == (429, "You are handing in alre")
    assert hand_in(address, codes["ada"], notebook(course, RIGHT))["state"] == GRADED
    for connection in slow:
        connection.close()
    until(lambda: ask(address, f"weeks/{WEEK}/hand-ins", codes["bob"], b"y")[0] in (200, 201))


def test_broken_off_uploads_leave_nothing_behind(course, codes, address):
    """Neither a count nor their bytes: a bad connection must not fill the memory."""
    host, port = address.removeprefix("http://").split(":")
    server = psutil.Process(listener(int(port)))

    def break_off():
        with socket.create_connection((host, int(port)), timeout=30) as connection:
            connection.sendall(
                f"POST /api/v1/weeks/{WEEK}/hand-ins HTTP/1.1\r\nHost: {host}:{port}\r\n"
                f"Authorization: Bearer {codes['bob']}\r\nContent-Length: {10 << 20}\r\n\r\n".encode()
            )
            connection.sendall(b"x" * (9 << 20))
        until(lambda: "course_arriving 0\n" in urllib.request.urlopen(f"{address}/metrics").read().decode())

    for _ in range(5):
        break_off()
    before = server.memory_info().rss
    for _ in range(20):
        break_off()
    assert server.memory_info().rss - before < 60 << 20  # and not 180


def test_pieces_without_a_length_have_the_same_limit(course, codes, address):
    host, port = address.removeprefix("http://").split(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=60)
    pieces = (b"x" * (1 << 20) for _ in range(25))
    headers = {"Authorization": f"Bearer {codes['bob']}"}
    connection.request("POST", f"/api/v1/weeks/{WEEK}/hand-ins", pieces, headers, encode_chunked=True)
    assert connection.getresponse().status == 413


@pytest.mark.parametrize("line", ["Content-Length: 5,5", "Host: ["])
def test_broken_headers_are_refused(address, line):
    host, port = address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=10) as connection:
        connection.sendall(f"POST /api/v1/weeks/{WEEK}/hand-ins HTTP/1.1\r\n{line}\r\n\r\n".encode())
        assert b" 500 " not in connection.recv(100)


def test_long_polls_of_one_student_do_not_fill_the_server(course, codes, address):
    urllib.request.urlopen(f"{STAFF[address]}pause", b"")
    _, waits = ask(address, f"weeks/{WEEK}/hand-ins", codes["ada"], notebook(course, RIGHT, "\n\n"))
    answered = []

    def poll():
        answered.append(ask(address, f"hand-ins/{waits['id']}?wait=25", codes["ada"])[1]["state"])

    threads = [threading.Thread(target=poll) for _ in range(8)]
    for thread in threads:
        thread.start()
    until(lambda: len(answered) == 4)  # at once
    time.sleep(1)
    assert answered == [WAITING] * 4
    urllib.request.urlopen(f"{STAFF[address]}resume", b"")
    for thread in threads:
        thread.join()
    assert answered[4:] == [GRADED] * 4


def test_a_course_has_one_server(course, address):
    done = course_here(course.root, "serve", "--port", "0")
    assert done.returncode == 2
    assert "Another `course serve` uses" in done.stderr


def test_staff_see_who_handed_in_pause_and_grade_again(course, codes, address):
    here = STAFF[address]
    mine = hand_in(address, codes["ada"], notebook(course, RIGHT))
    page = urllib.request.urlopen(here).read().decode()
    assert ">ada<" in page
    assert "1 of the roster did not" in page  # Eve
    urllib.request.urlopen(f"{here}pause", b"")
    status, waits = ask(address, f"weeks/{WEEK}/hand-ins", codes["ada"], notebook(course, RIGHT, " \n"))
    assert status == 201
    time.sleep(0.5)
    status, waits = ask(address, f"hand-ins/{waits['id']}", codes["ada"])
    assert (waits["state"], "Nothing is lost" in waits["message"]) == (WAITING, True)
    message = urllib.parse.urlencode({"message": "<b>Grading goes on at noon.</b>"}).encode()
    page = urllib.request.urlopen(f"{here}message", message).read().decode()
    assert "Grading is paused." in page
    assert "&lt;b&gt;Grading goes on" in page
    urllib.request.urlopen(f"{here}resume", b"")
    until(lambda: ask(address, f"hand-ins/{waits['id']}", codes["ada"])[1]["state"] == GRADED)
    urllib.request.urlopen(f"{here}again", urllib.parse.urlencode({"id": mine["id"]}).encode())
    until(lambda: ask(address, f"hand-ins/{mine['id']}", codes["ada"])[1]["state"] == GRADED)


def test_only_staff_on_this_machine_reach_their_page(address):
    here = STAFF[address]
    token = here.rstrip("/").rpartition("/")[2]
    refused = [
        urllib.request.Request(here.replace(token, "x" * len(token))),
        urllib.request.Request(here, headers={"X-Forwarded-For": "192.0.2.1"}),
        urllib.request.Request(f"{here}pause", b"", {"Origin": "https://example.org"}),
        urllib.request.Request(f"{here}again", b"id=none"),
    ]
    for request in refused:
        with pytest.raises(urllib.error.HTTPError) as error:
            urllib.request.urlopen(request)
        assert error.value.code in (403, 404)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1000, 360])
def test_pages_are_readable_for_all(course, codes, address, chromium, width, scheme):
    """The form for the code, the hand-ins, a page and the staff's page: nothing that axe finds, nothing cut off."""
    hand_in(address, codes["ada"], notebook(course, WRONG))
    context = chromium.new_context(viewport={"width": width, "height": 800}, color_scheme=scheme)
    page = context.new_page()

    def look(title):
        assert title in page.title()
        found = Axe().run(page).response["violations"]
        assert [(one["id"], one["nodes"][0]["html"]) for one in found] == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width

    page.goto(address)
    look("Your hand-ins")
    page.keyboard.press("Tab")  # past the link to the page
    page.keyboard.press("Tab")
    page.keyboard.type(codes["ada"])
    page.keyboard.press("Enter")
    page.wait_for_selector("text=Signed in as")
    look("Your hand-ins")
    page.click("tbody a >> nth=0")
    look("feedback for ada")
    page.goto(STAFF[address])
    for details in page.query_selector_all("details"):
        details.evaluate("element => element.open = true")
    look("Hand-ins")
    context.close()


def test_health_and_metrics(address):
    with urllib.request.urlopen(f"{address}/healthz") as answer:
        assert json.load(answer) == {"ok": True, "paused": False}
    with urllib.request.urlopen(f"{address}/metrics") as answer:
        assert 'course_hand_ins{state="graded"}' in answer.read().decode()
    request = urllib.request.Request(f"{address}/metrics", headers={"X-Forwarded-For": "192.0.2.1"})
    with pytest.raises(urllib.error.HTTPError):
        urllib.request.urlopen(request)


def test_no_code_is_on_the_disk_or_in_a_log(course, codes, address):
    for path in course.root.rglob("*"):
        if path.is_file():
            data = path.read_bytes()
            assert not any(code.encode() in data for code in codes.values()), path


# The store, by itself.


@pytest.fixture
def hand_ins(tmp_path):
    with contextlib.closing(Store(tmp_path)) as store:
        yield store


def receive(store, data, now=NOW, is_on_time=always, **settings):
    return store.receive("ada", "week", data, now, HandIns(**settings), is_on_time)[0]


def test_a_newer_one_replaces_what_waits(hand_ins):
    first, second = receive(hand_ins, b"1"), receive(hand_ins, b"2")
    assert hand_ins.get(first.id).state == REPLACED
    assert hand_ins.take().id == second.id
    third = receive(hand_ins, b"3")
    assert hand_ins.get(second.id).state == GRADING
    assert hand_ins.get(third.id).state == WAITING


def test_a_late_one_does_not_replace_one_in_time(hand_ins):
    due = NOW + timedelta(hours=1)
    first = receive(hand_ins, b"1", is_on_time=lambda when: when <= due)
    receive(hand_ins, b"2", now=NOW + timedelta(hours=2), is_on_time=lambda when: when <= due)
    assert hand_ins.get(first.id).state == WAITING


def test_what_is_refused_or_replaced_leaves_no_file(hand_ins):
    """A student cannot fill the disk with more than their attempts."""
    first = receive(hand_ins, b"1", attempts=2)
    second = receive(hand_ins, b"2", attempts=2)
    assert not hand_ins.file(first.digest).exists()
    assert hand_ins.file(second.digest).read_bytes() == b"2"
    hand_ins.end(hand_ins.take(), GRADED)
    receive(hand_ins, b"3", attempts=2)
    hand_ins.end(hand_ins.take(), GRADED)
    before = list(hand_ins.folder.rglob("*"))
    with pytest.raises(NoAttempts):
        receive(hand_ins, b"4", attempts=2)
    assert list(hand_ins.folder.rglob("*")) == before


def test_the_same_bytes_of_two_students_outlive_a_replacement(hand_ins, monkeypatch):
    """While Bob's bytes are being written, Ada replaces her hand-in of the same bytes: Bob's must still be there."""
    receive(hand_ins, b"blank")
    replacing = threading.Thread(target=receive, args=(hand_ins, b"new"))

    def write(*args, write=hand_ins._write):
        write(*args)
        if threading.current_thread() is not replacing and not replacing.ident:
            replacing.start()
            replacing.join(1)  # it may have to wait for this one

    monkeypatch.setattr(hand_ins, "_write", write)
    bobs, _ = hand_ins.receive("bob", "week", b"blank", NOW, HandIns(), always)
    replacing.join()
    assert hand_ins.file(bobs.digest).read_bytes() == b"blank"
    assert [one.state for one in hand_ins.of("ada")] == [REPLACED, WAITING]


def test_replacing_has_a_limit(hand_ins):
    with pytest.raises(NoAttempts) as refused:
        for number in range(100):
            receive(hand_ins, b"%d" % number, attempts=2)
    assert len(hand_ins.of("ada")) == 12
    assert refused.value.next_at == NOW + timedelta(hours=1)


def test_one_student_has_one_at_a_time(hand_ins):
    receive(hand_ins, b"1")
    first = hand_ins.take()
    receive(hand_ins, b"2")
    other, _ = hand_ins.receive("bob", "week", b"3", NOW, HandIns(), always)
    assert hand_ins.take().id == other.id
    assert hand_ins.take() is None
    hand_ins.end(first, GRADED)
    assert hand_ins.take().student == "ada"


def test_a_nearly_full_disk_takes_nothing(hand_ins, monkeypatch):
    monkeypatch.setattr("coursekit.serve.store.FREE_BYTES", 1 << 60)
    with pytest.raises(CourseError, match="nearly full"):
        receive(hand_ins, b"1")


def test_attempts_run_out_and_a_fault_costs_none(hand_ins):
    for data, state in ((b"1", GRADED), (b"2", FAILED), (b"3", GRADED)):
        receive(hand_ins, data, attempts=2)
        hand_ins.end(hand_ins.take(), state)
    with pytest.raises(NoAttempts) as refused:
        receive(hand_ins, b"4", attempts=2)
    assert refused.value.next_at == NOW + timedelta(minutes=30)
    assert [one.state for one in hand_ins.of("ada")] == [GRADED, FAILED, GRADED]


def test_threads_do_not_share_the_last_attempt(hand_ins):
    receive(hand_ins, b"first", attempts=2)
    hand_ins.end(hand_ins.take(), GRADED)
    taken, refused = [], []

    def try_one(number):
        try:
            taken.append(receive(hand_ins, b"%d" % number, attempts=2))
            hand_ins.take()  # so that the next one does not replace it
        except NoAttempts:
            refused.append(number)

    threads = [threading.Thread(target=try_one, args=(number,)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len([one for one in hand_ins.of("ada") if one.state != REPLACED]) == 2
    assert len(taken) + len(refused) == 8
    hand_ins.take()  # if all had arrived before the first was taken, the last of them still waits
    with pytest.raises(NoAttempts):
        receive(hand_ins, b"one more", attempts=2)


def test_what_has_ended_stays_as_it_is(hand_ins):
    one = receive(hand_ins, b"1")
    hand_ins.end(hand_ins.take(), FAILED, "It took too long.")
    hand_ins.end(one, GRADED)  # its thread has ended after all
    assert hand_ins.get(one.id).state == FAILED


def test_under_the_rule_latest_an_old_one_can_be_handed_in_again(hand_ins):
    first = receive(hand_ins, b"1", counts="latest")
    hand_ins.end(hand_ins.take(), GRADED)
    receive(hand_ins, b"2", counts="latest")
    hand_ins.end(hand_ins.take(), GRADED)
    assert receive(hand_ins, b"1", counts="latest").number > first.number
    assert receive(hand_ins, b"2").number == 2  # but not under the default: it would be graded the same


def test_what_a_killed_server_had_taken_waits_again_and_fails_at_last(hand_ins):
    one = receive(hand_ins, b"1")
    for _ in range(DEATHS - 1):
        assert hand_ins.take().id == one.id
        hand_ins.recover()
        assert hand_ins.get(one.id).state == WAITING
    hand_ins.take()
    hand_ins.recover()
    failed = hand_ins.get(one.id)
    assert failed.state == FAILED
    assert failed.reason.endswith("That is not your fault.")


def test_regrades_go_behind_what_is_new(hand_ins):
    old = receive(hand_ins, b"1")
    hand_ins.end(hand_ins.take(), GRADED)
    hand_ins.grade_again(old)
    new, _ = hand_ins.receive("bob", "week", b"2", NOW, HandIns(), always)
    assert [hand_ins.take().id, hand_ins.take().id] == [new.id, old.id]


def test_a_disk_that_is_full_gives_no_receipt(hand_ins, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("coursekit.serve.store.write_atomically", full)
    with pytest.raises(OSError, match="No space"):
        receive(hand_ins, b"1")
    assert hand_ins.of("ada") == []


def test_a_database_that_cannot_be_opened_is_named(tmp_path):
    (tmp_path / "hand_ins").write_text("a file")
    with pytest.raises(CourseError, match="hand_ins"):
        Store(tmp_path)


def test_codes_are_for_the_roster_alone(course, codes):
    done = course_here(course.root, "codes", "--renew", "nobody")
    assert (done.returncode, "no student 'nobody'" in done.stderr) == (2, True)
    assert len(set(codes.values())) == 3


def test_a_week_that_cannot_be_graded_stops_no_other(tmp_path):
    """A second week whose notebook is broken: its hand-in waits, those of the first are graded; then it is mended."""
    course, week = make_course(tmp_path)
    course = add_second_week(course)
    (tmp_path / "roster.csv").write_text("student id\nada\n")
    code = course_here(tmp_path, "codes").stdout.split(",")[-1].strip()
    source = course.source(course.weeks[1])
    source.parent.mkdir(parents=True)
    source.write_text("{")
    data = fill(course.master(week), RIGHT)
    with serving(tmp_path) as address:
        status, second = ask(address, f"weeks/{course.weeks[1].name}/hand-ins", code, data)
        assert status == 201
        assert hand_in(address, code, data)["score"] == 5
        until(lambda: ask(address, f"hand-ins/{second['id']}", code)[1]["state"] == WAITING)
        assert "Nothing is lost" in ask(address, f"hand-ins/{second['id']}", code)[1]["message"]
        with pytest.raises(urllib.error.HTTPError) as unwell:
            urllib.request.urlopen(f"{address}/healthz")
        assert unwell.value.code == 503
        source.write_bytes(course.source(week).read_bytes())
        until(lambda: ask(address, f"hand-ins/{second['id']}", code)[1]["state"] == GRADED)
        assert json.load(urllib.request.urlopen(f"{address}/healthz"))["ok"]
