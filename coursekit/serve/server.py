"""The HTTP server of `course serve`: who may ask for what, and what each URL does.

It listens only on this machine, behind a proxy that speaks TLS. A student is who has the code: programs send it in the
header Authorization, and browsers get a session for it. Every hand-in is looked up together with its student, so no id
or path leads to another's.

    POST /api/v1/weeks/WEEK/hand-ins   the notebook's bytes as body: a receipt
    GET  /api/v1/weeks/WEEK            attempts left, and the student's hand-ins
    GET  /api/v1/hand-ins/ID           its state, and the table of questions; ?wait=SECONDS: not before it has ended
    GET  /                             a student's hand-ins, or a form for the code
    GET  /hand-ins/ID                  the page of one
    POST /login, /logout               begin and end a session
    GET  /staff/TOKEN/                 who handed in, faults, the queue; only without a proxy
    POST /staff/TOKEN/pause, /resume, /again, /message
    GET  /healthz                      whether hand-ins are taken and graded
    GET  /metrics                      numbers for Prometheus, only without a proxy
"""

import asyncio
import hashlib
import hmac
import logging
import re
import secrets
import threading
from collections import defaultdict
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import ExitStack, suppress
from datetime import UTC, datetime, timedelta
from functools import partial
from http import HTTPStatus
from socket import socket
from typing import Any
from urllib.parse import urlsplit

from tornado.web import Application, HTTPError, RequestHandler, stream_request_body

from coursekit.course.config import BEST_ON_TIME, LATEST, NOTHING, Course, Shown, Week
from coursekit.deliver.feedback.page import feedback_page
from coursekit.deliver.feedback.withheld import policy_now, withhold
from coursekit.deliver.local_server import HOST, BoundedServer, bind, headers
from coursekit.deliver.templates import Templates, count, points
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.result import PASSED, Result
from coursekit.gradebook.marks import marks
from coursekit.grading.diagnosis import Mistake, known_mistakes
from coursekit.grading.place import Place
from coursekit.serve import codes
from coursekit.serve.grader import Grader, Weeks, answered, file_state
from coursekit.serve.policy import attempts
from coursekit.serve.store import (
    FAILED,
    GRADED,
    GRADING,
    MESSAGE,
    PAUSED,
    REPLACED,
    WAITING,
    HandIn,
    NoAttempts,
    Store,
)

MAX_FORM = 64 << 10  # bytes of any other body than a hand-in's, and of a request's headers
MAX_CONNECTIONS = 800
IDLE_SECONDS, BODY_SECONDS = 60, 120
WAIT_SECONDS = 25  # that a program may wait for a result in one request; proxies close after 30 or 60
SESSION_DAYS = 30
COOKIE = "session"
POLLS = 4  # of one student at a time; others are answered at once
ID = r"[A-Za-z0-9_-]{16}"  # of a hand-in
UPLOADS = 2  # of one student at a time
READ_AT_MOST = 4  # times the largest hand-in: as much of one that is too large is read, and dropped

_TEMPLATES = Templates("hand_ins", "feedback", skip_link_to="page", served=True)
HEADERS = headers("img-src data:")
_STATES = {
    GRADING: "It is being graded.",
    GRADED: "Graded.",
    REPLACED: "Replaced by your next hand-in, before it was graded. It cost no attempt.",
}
_RULES = {
    BEST_ON_TIME: "Of the hand-ins that arrive in time, the best one counts: another one never costs points.",
    LATEST: "Your latest hand-in counts.",
}
_LAST_ON_TIME = "Of the hand-ins that arrive in time, the last one counts."

logger = logging.getLogger(__name__)


class Service:
    """What all requests share: the course, its hand-ins and the grader."""

    def __init__(self, course: Course, store: Store, place: Place, unsafe: bool) -> None:
        self.course, self.store, self.weeks = course, store, Weeks(course)
        self.grader = Grader(self.weeks, store, place, unsafe, self._ended)
        self.token = secrets.token_urlsafe(24)  # of the staff's page
        self.uploads: dict[str, int] = defaultdict(int)  # {student: hand-ins that are arriving}
        self.polls: dict[str, int] = defaultdict(int)  # {student: requests that wait for a result}
        self._changed: dict[str, asyncio.Event] = {}  # {student: set when one of their hand-ins has changed}
        self._loop: asyncio.AbstractEventLoop | None = None
        # {week: (its source's state then, its mistakes)}
        self._known: dict[str, tuple[object, Future[list[Mistake]]]] = {}
        self._finding, self._one_at_a_time = threading.Lock(), ThreadPoolExecutor(1)
        self._pages = ThreadPoolExecutor(2)

    def begin(self) -> None:
        self._loop = asyncio.get_running_loop()
        self.grader.start()

    def _ended(self, hand_in: HandIn) -> None:
        assert self._loop is not None
        self._loop.call_soon_threadsafe(self.tell, hand_in.student)

    def tell(self, student: str) -> None:
        """Let requests look again that wait for one of this student's hand-ins."""
        if event := self._changed.pop(student, None):
            event.set()

    async def wait_for(self, hand_in: HandIn, seconds: float) -> HandIn:
        """Return the row of a hand-in when it has ended, or after some seconds."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while True:
            changed = self._changed.setdefault(hand_in.student, asyncio.Event())
            row = await asyncio.to_thread(self.store.get, hand_in.id)
            assert row is not None, "rows are never deleted"
            left = end - loop.time()
            if row.ended or left <= 0:
                return row
            with suppress(TimeoutError):
                await asyncio.wait_for(changed.wait(), left)

    async def in_page_thread(self, work: Callable[..., Any], *args: Any) -> Any:
        """Return what some work gives that takes longer than a row, on threads that no receipt waits for."""
        return await asyncio.get_running_loop().run_in_executor(self._pages, work, *args)

    def in_words(self, hand_in: HandIn) -> str:
        """Return the state of a hand-in as a sentence for its student."""
        if hand_in.state == FAILED:
            return hand_in.reason
        if hand_in.state != WAITING:
            return _STATES[hand_in.state]
        if self.grader.paused or self.grader.problem(hand_in.week):
            return (
                "It has arrived and waits: grading is interrupted. Nothing is lost, and you need do nothing."
            )
        ahead = self.store.ahead(hand_in)
        seconds = self.grader.seconds_for(ahead)
        wait = f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} minutes"
        return f"It waits, with {ahead} before it: about {wait}."

    def attempts_in_words(self, student: str, week: Week) -> str:
        """Return how often a student may still hand in, as a sentence."""
        now = datetime.now(UTC)
        rows = self.store.of(student, week.name)
        used = [row.received_at for row in rows if row.costs_attempt]
        left = attempts(used, now, self.course.hand_ins)
        more = f" One more at {left.next_at.astimezone(self.zone):%H:%M}." if left.next_at else ""
        return f"{count(left.left, 'attempt')} left.{more}" if left.left else f"No attempt left now.{more}"

    @property
    def zone(self) -> Any:
        """The time zone in which pages and receipts show times: that of the first due time, else UTC."""
        return next((week.due.tzinfo for week in self.course.weeks if week.due), UTC)

    def table(self, hand_in: HandIn) -> dict[str, Any]:
        """Return a graded hand-in's points and questions, as far as its student may read them now."""
        week = self.course.week(hand_in.week)
        folder = self.store.with_results(self.course, hand_in)
        result = Result.read(folder.autograded(hand_in.student, week) / "result.json")
        if result is None:
            return {}
        with_answer = answered(result)
        result = withhold(result, self.policy(hand_in.student, week))
        questions = []
        for question in result.questions:
            tests = [test for test in result.tests if test.question == question.id]
            questions.append(
                {
                    "id": question.id,
                    "title": question.title,
                    "score": question.score,
                    "max_score": question.max_score,
                    "passed": sum(test.outcome == PASSED for test in tests),
                    "tests": len(tests),
                    "answered": question.id in with_answer,
                }
            )
        return {"score": result.score, "max_score": result.max_score, "questions": questions}

    def counting(self, student: str, week: Week, rows: list[HandIn]) -> HandIn | None:
        """Return the hand-in that counts, unless that would tell what hidden tests found and must not be told yet."""
        return None if self.policy(student, week) == NOTHING else self.weeks.counting(rows)

    def policy(self, student: str, week: Week) -> Shown:
        """Return what this student may read of hidden tests now."""
        return policy_now(self.course, week, self.weeks.roster(), student, datetime.now(UTC))

    def _mistakes(self, week: Week) -> list[Mistake]:
        """Return the bank's known mistakes; none while they are found out, which takes some seconds, once a week."""
        state = file_state(self.course.source(week))
        with self._finding:
            known = self._known.get(week.name)
            if known is None or known[0] != state:
                known = self._known[week.name] = (
                    state,
                    self._one_at_a_time.submit(known_mistakes, self.course, week, 1),
                )
        if not known[1].done() or known[1].exception():
            return []
        return known[1].result()

    def page(self, hand_in: HandIn) -> str:
        """Return the feedback page of a graded hand-in, with people's marks if it is the one that counts."""
        week = self.course.week(hand_in.week)
        folder = self.store.with_results(self.course, hand_in)
        mistakes = self._mistakes(week) if hand_in.score != hand_in.max_score else []
        counts = self.weeks.counting(self.store.of(hand_in.student, hand_in.week))
        row = None
        if counts and counts.id == hand_in.id and hand_in.delivered:
            rows = marks(self.course, week, hand_in.student)
            row = rows[0] if rows else None
        policy = self.policy(hand_in.student, week)
        return feedback_page(folder, week, hand_in.student, row, mistakes, policy)


class Handler(RequestHandler):
    """The checks, headers and errors that all requests share."""

    service: Service

    def initialize(self, service: Service) -> None:
        self.service = service

    def set_default_headers(self) -> None:
        self.clear_header("Server")
        for name, value in HEADERS.items():
            self.set_header(name, value)

    def prepare(self) -> None:
        """Refuse requests under a foreign name of this machine, and forms from pages of another origin."""
        address = urlsplit(self.service.course.hand_ins.address)
        try:
            host = urlsplit(f"//{self.request.host}").hostname
        except ValueError:
            raise HTTPError(400) from None
        if host not in {HOST, "localhost", address.hostname}:
            raise HTTPError(403)
        origin = self.request.headers.get("Origin")
        allowed = {f"http://{self.request.host}", f"{address.scheme}://{address.netloc}"}
        if self.request.method != "GET" and origin is not None and origin not in allowed:
            raise HTTPError(403)

    def log_exception(self, kind: Any, value: Any, trace: Any) -> None:
        if not isinstance(value, CourseError):
            super().log_exception(kind, value, trace)

    def problem_of(self, **kwargs: Any) -> tuple[int, str]:
        """Return the status and the sentence for an error."""
        error = kwargs.get("exc_info", (None, None))[1]
        if isinstance(error, NoAttempts):
            at = error.next_at.astimezone(self.service.zone)
            return 429, f"{error} You can hand in again at {at:%H:%M}."
        if isinstance(error, OSError | CourseError):
            logger.warning("%s", error)
            return (
                503,
                "The server cannot take this now. Try again in some minutes; your notebook is unchanged.",
            )
        if isinstance(error, HTTPError) and error.log_message:
            return error.status_code, error.log_message
        status = error.status_code if isinstance(error, HTTPError) else 500
        return status, f"{HTTPStatus(status).phrase}."


class ApiHandler(Handler):
    """Requests of programs: the student's code is in a header, and all answers are JSON."""

    student: str

    async def prepare(self) -> None:  # type: ignore[override]
        super().prepare()
        kind, _, code = self.request.headers.get("Authorization", "").partition(" ")
        student = None
        if kind.lower() == "bearer":
            student = await asyncio.to_thread(self.service.store.student_of_code, codes.digest(code))
        if student is None:
            raise HTTPError(401, "This code is not known. Type it again as your course has sent it to you.")
        self.student = student

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        status, message = self.problem_of(**kwargs)
        self.set_status(status)
        self.finish({"message": message})

    def week_named(self, name: str) -> Week:
        for week in self.service.course.weeks:
            if week.name == name:
                return week
        raise HTTPError(404, "This course has no such week. Was the notebook made for another course?")

    async def describe(self, hand_in: HandIn) -> dict[str, Any]:
        """Return what a program reads of a hand-in."""
        service = self.service
        shown = {
            "id": hand_in.id,
            "week": hand_in.week,
            "receipt": hand_in.receipt,
            "received_at": hand_in.received_at.astimezone(service.zone).isoformat(timespec="seconds"),
            "size": hand_in.size,
            "state": hand_in.state,
            "message": await asyncio.to_thread(service.in_words, hand_in),
            "page": f"{service.course.hand_ins.address.rstrip('/')}/hand-ins/{hand_in.id}",
        }
        if hand_in.state == GRADED:
            shown |= {"answered": hand_in.answered, "of": hand_in.questions}
            shown |= await service.in_page_thread(service.table, hand_in)
        return shown


@stream_request_body
class NewHandInHandler(ApiHandler):
    """Takes a notebook, and answers when it is on the disk.

    The bytes that arrive are kept only if the student may hand in. Others get their answer when they have sent theirs:
    many programs do not read an answer that comes before.
    """

    _week: Week | None = None
    _refusal: HTTPError | None = None
    _counted = False

    async def prepare(self) -> None:  # type: ignore[override]
        self._pieces: list[bytes] = []
        self._size = 0
        most = self.service.course.hand_ins.megabytes << 20
        self.request.connection.set_max_body_size(READ_AT_MOST * most)  # type: ignore[union-attr]
        stated = self.request.headers.get("Content-Length", "0")
        length = int(stated) if stated.isascii() and stated.isdigit() else 0
        if length > READ_AT_MOST * most:
            raise HTTPError(413)
        try:
            await super().prepare()
            self._week = self.week_named(self.path_kwargs["week"])
            if length > most:
                raise self._too_large()
            if self.service.uploads[self.student] >= UPLOADS:
                raise HTTPError(429, "You are handing in already: wait until that has ended.")
            self.service.uploads[self.student] += 1
            self._counted = True
        except HTTPError as error:
            self._refusal = error

    def data_received(self, chunk: bytes) -> None:
        if self._refusal is None:
            self._size += len(chunk)
            self._pieces.append(chunk)
            if self._size > self.service.course.hand_ins.megabytes << 20:  # in pieces, without a length
                self._refusal = self._too_large()
                self._pieces.clear()

    def _too_large(self) -> HTTPError:
        size = self.service.course.hand_ins.megabytes
        return HTTPError(
            413, f"This is larger than {size} MB. Delete large outputs and pictures, and try again."
        )

    def on_finish(self) -> None:
        if self._counted:
            self._counted = False
            self.service.uploads[self.student] -= 1
            if not self.service.uploads[self.student]:
                del self.service.uploads[self.student]

    def on_connection_close(self) -> None:
        self.on_finish()
        self._pieces.clear()
        super().on_connection_close()  # else this handler would wait for its body for ever

    async def post(self, week: str) -> None:
        now = datetime.now(UTC)  # when all has arrived, however busy the threads are
        if self._refusal is not None:
            raise self._refusal
        data = b"".join(self._pieces)
        if not data.strip():
            raise HTTPError(400, "Nothing arrived: the request has no body.")
        assert self._week is not None
        hand_in, is_new = await asyncio.to_thread(self._receive, self._week, data, now)
        self.service.grader.wake()
        self.service.tell(self.student)
        self.set_status(201 if is_new else 200)
        left = await asyncio.to_thread(self.service.attempts_in_words, self.student, self._week)
        self.finish(await self.describe(hand_in) | {"new": is_new, "attempts": left})

    def _receive(self, week: Week, data: bytes, now: datetime) -> tuple[HandIn, bool]:
        service = self.service
        is_on_time = partial(service.weeks.is_on_time, self.student, week)
        return service.store.receive(self.student, week.name, data, now, service.course.hand_ins, is_on_time)


class HandInHandler(ApiHandler):
    """The state of a hand-in, and its points."""

    async def get(self, name: str) -> None:
        hand_in = await asyncio.to_thread(self.service.store.get, name)
        if hand_in is None or hand_in.student != self.student:
            raise HTTPError(404, "There is no such hand-in of yours.")
        try:
            seconds = min(max(float(self.get_query_argument("wait", "0")), 0.0), WAIT_SECONDS)
        except ValueError:
            raise HTTPError(400, "wait is a number of seconds.") from None
        service = self.service
        if seconds and not hand_in.ended and service.polls[self.student] < POLLS:
            service.polls[self.student] += 1
            try:
                hand_in = await service.wait_for(hand_in, seconds)
            finally:
                service.polls[self.student] -= 1
        self.finish(await self.describe(hand_in))


class WeekHandler(ApiHandler):
    """A student's attempts and hand-ins of a week."""

    async def get(self, week: str) -> None:
        chosen = self.week_named(week)
        rows = await asyncio.to_thread(self.service.store.of, self.student, week)
        counts = await asyncio.to_thread(self.service.counting, self.student, chosen, rows)
        self.finish(
            {
                "attempts": await asyncio.to_thread(self.service.attempts_in_words, self.student, chosen),
                "hand_ins": [await self.describe(row) for row in rows],
                "counts": counts.id if counts else None,
            }
        )


class NoSuchPath(ApiHandler):
    """Any other path of the API."""

    async def prepare(self) -> None:  # type: ignore[override]
        raise HTTPError(404, "The API has no such path. docs/serving.md lists them.")


class BrowserHandler(Handler):
    """Requests of browsers."""

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        status, message = self.problem_of(**kwargs)
        self.set_status(status)
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        self.finish(f"{message}\n")

    def show(self, template: str, **values: Any) -> None:
        now = datetime.now(self.service.zone)
        values = {"course": self.service.course, "zone": now.tzname() or "UTC", "problem": ""} | values
        self.finish(_TEMPLATES.render(template, **values))

    @property
    def session(self) -> bytes:
        """The digest of this browser's session."""
        return hashlib.sha256((self.get_cookie(COOKIE) or "").encode()).digest()

    async def student(self) -> str | None:
        """Return who is signed in."""
        now = datetime.now(UTC)
        return await asyncio.to_thread(self.service.store.student_of_session, self.session, now)

    def moment(self, when: datetime) -> str:
        return f"{when.astimezone(self.service.zone):%Y-%m-%d %H:%M:%S}"


class HomeHandler(BrowserHandler):
    """A student's hand-ins of all weeks."""

    async def get(self) -> None:
        student = await self.student()
        if student is None:
            self.show("login.html", next="/")
            return
        weeks = await self.service.in_page_thread(self._weeks, student)
        rule = _RULES.get(self.service.course.hand_ins.counts, _LAST_ON_TIME)
        message = await asyncio.to_thread(self.service.store.setting, MESSAGE)
        self.show("home.html", student=student, weeks=weeks, rule=rule, message=message)

    def _weeks(self, student: str) -> list[dict[str, Any]]:
        service, shown = self.service, []
        for week in service.course.weeks:
            rows = service.store.of(student, week.name)
            counts = service.counting(student, week, rows)
            due = service.weeks.due_time(student, week)
            hand_ins = []
            for row in reversed(rows):
                table = service.table(row) if row.state == GRADED else {}
                hand_ins.append(
                    {
                        "id": row.id,
                        "at": self.moment(row.received_at),
                        "receipt": row.receipt,
                        "state": service.in_words(row),
                        "late": not service.weeks.is_on_time(student, week, row.received_at),
                        "counts": counts is not None and counts.id == row.id,
                        "points": f"{points(table['score'])} of {points(table['max_score'])}"
                        if table
                        else "",
                    }
                )
            shown.append(
                {
                    "title": week.title,
                    "left": service.attempts_in_words(student, week),
                    "due": self.moment(due) if due else "",
                    "hand_ins": hand_ins,
                }
            )
        return shown


class HandInPageHandler(BrowserHandler):
    """The page of one hand-in: its feedback, or that it waits."""

    async def get(self, name: str) -> None:
        student = await self.student()
        if student is None:
            self.show("login.html", next=f"/hand-ins/{name}")
            return
        hand_in = await asyncio.to_thread(self.service.store.get, name)
        if hand_in is None or hand_in.student != student:
            raise HTTPError(404, "There is no such hand-in of yours.")
        if hand_in.state == GRADED:
            self.finish(await self.service.in_page_thread(self.service.page, hand_in))
            return
        self.show(
            "hand_in.html",
            title=self.service.course.week(hand_in.week).title,
            at=self.moment(hand_in.received_at),
            state=await asyncio.to_thread(self.service.in_words, hand_in),
            receipt=hand_in.receipt,
        )


class LoginHandler(BrowserHandler):
    """Begins a session for whoever has a code."""

    async def post(self) -> None:
        code, target = self.get_body_argument("code", ""), self.get_body_argument("next", "/")
        store = self.service.store
        student = await asyncio.to_thread(store.student_of_code, codes.digest(code))
        if not re.fullmatch(rf"/hand-ins/{ID}", target):
            target = "/"
        if student is None:
            self.set_status(403)
            self.show("login.html", next=target, problem="This code is not known. Type it again.")
            return
        session, expires_at = secrets.token_urlsafe(32), datetime.now(UTC) + timedelta(days=SESSION_DAYS)
        digest = hashlib.sha256(session.encode()).digest()
        await asyncio.to_thread(store.begin_session, digest, student, expires_at)
        self.set_cookie(
            COOKIE,
            session,
            expires_days=SESSION_DAYS,
            httponly=True,
            samesite="Lax",
            secure=self.service.course.hand_ins.address.startswith("https:"),
        )
        self.redirect(target, status=303)


class LogoutHandler(BrowserHandler):
    """Ends the session."""

    async def post(self) -> None:
        await asyncio.to_thread(self.service.store.end_session, self.session)
        self.clear_cookie(COOKIE)
        self.redirect("/", status=303)


class StaffHandler(BrowserHandler):
    """The page for staff on this machine: its address has a token, and who asks through the proxy finds nothing."""

    def prepare(self) -> None:
        super().prepare()
        token = self.path_kwargs.pop("token")
        if self.request.headers.get("X-Forwarded-For") or not hmac.compare_digest(token, self.service.token):
            raise HTTPError(404)

    async def get(self, action: str = "") -> None:
        if action:
            raise HTTPError(405)
        self.show("staff.html", **await self.service.in_page_thread(self._values))

    def _values(self) -> dict[str, Any]:
        service, store = self.service, self.service.store
        ids, weeks = set(service.weeks.roster().ids), []
        for week in service.course.weeks:
            rows = store.latest(week.name)
            students = [
                {
                    "student": row.student,
                    "id": row.id,
                    "at": self.moment(row.received_at),
                    "number": number,
                    "state": row.state,
                    "again": row.state in (GRADED, FAILED),
                }
                for row, number in rows
            ]
            missing = sorted(ids - {row.student for row, _ in rows}) if ids else None
            weeks.append({"title": week.title, "students": students, "missing": missing})
        failed = [
            {
                "student": row.student,
                "week": row.week,
                "id": row.id,
                "at": self.moment(row.received_at),
                "reason": row.reason,
            }
            for row in store.in_state(FAILED)
        ]
        counts = store.counts()
        words = [f"{counts.get(state, 0)} {state}" for state in (WAITING, GRADING, GRADED, REPLACED, FAILED)]
        return {
            "here": f"/staff/{service.token}/",
            "problems": [one for one in (service.grader.problem(), service.grader.delivery_problem) if one],
            "states": f"Hand-ins: {', '.join(words)}.",
            "paused": service.grader.paused,
            "message": store.setting(MESSAGE),
            "failed": failed,
            "weeks": weeks,
        }

    async def post(self, action: str = "") -> None:
        await asyncio.to_thread(self._act, action)
        self.service.grader.wake()
        self.redirect(f"/staff/{self.service.token}/", status=303)

    def _act(self, action: str) -> None:
        store = self.service.store
        if action in ("pause", "resume"):
            store.set_setting(PAUSED, "yes" if action == "pause" else "")
            self.service.grader.paused = action == "pause"
        elif action == "message":
            store.set_setting(MESSAGE, " ".join(self.get_body_argument("message", "").split())[:500])
        else:
            hand_in = store.get(self.get_body_argument("id", ""))
            if action != "again" or hand_in is None:
                raise HTTPError(404, "There is no such hand-in.")
            store.grade_again(hand_in)


class HealthHandler(BrowserHandler):
    """Whether hand-ins are taken and graded; 503 if a person has to look."""

    def get(self) -> None:
        grader = self.service.grader
        problem = grader.problem() or grader.delivery_problem
        self.set_status(503 if problem else 200)
        self.finish({"ok": not problem, "paused": grader.paused})


class MetricsHandler(BrowserHandler):
    """Numbers in the text format of Prometheus; who asks through the proxy gets none."""

    async def get(self) -> None:
        if self.request.headers.get("X-Forwarded-For"):
            raise HTTPError(404)
        states = await asyncio.to_thread(self.service.store.counts)
        self.set_header("Content-Type", "text/plain; version=0.0.4; charset=utf-8")
        lines = ["# TYPE course_hand_ins gauge"]
        lines += [f'course_hand_ins{{state="{state}"}} {number}' for state, number in sorted(states.items())]
        grader = self.service.grader
        lines.append(f"course_arriving {sum(self.service.uploads.values())}")
        lines.append(f"course_grading_problem {int(bool(grader.problem()))}")
        lines.append(f"course_delivery_problem {int(bool(grader.delivery_problem))}")
        self.finish("\n".join(lines) + "\n")


class _NothingHere(BrowserHandler):
    def prepare(self) -> None:
        raise HTTPError(404)


class HandInServer:
    """A server that has its port, and takes hand-ins once it runs."""

    def __init__(self, service: Service, sockets: list[socket]) -> None:
        self.service, self._sockets = service, sockets

    @property
    def url(self) -> str:
        return f"http://{HOST}:{self._sockets[0].getsockname()[1]}/"

    def run(self, tell: Callable[[str], None]) -> None:
        """Show the URL, and that of the staff's page, and serve until Ctrl-C raises KeyboardInterrupt."""
        logging.getLogger("tornado.access").setLevel(logging.ERROR)
        asyncio.run(self._run(tell))

    async def _run(self, tell: Callable[[str], None]) -> None:
        week, name = r"(?P<week>[\w-]{1,100})", rf"(?P<name>{ID})"
        handlers: dict[str, type[Handler]] = {
            rf"/api/v1/weeks/{week}/hand-ins": NewHandInHandler,
            rf"/api/v1/weeks/{week}": WeekHandler,
            rf"/api/v1/hand-ins/{name}": HandInHandler,
            r"/api/.*": NoSuchPath,
            r"/": HomeHandler,
            rf"/hand-ins/{name}": HandInPageHandler,
            r"/login": LoginHandler,
            r"/logout": LogoutHandler,
            r"/staff/(?P<token>[A-Za-z0-9_-]{32})/": StaffHandler,
            r"/staff/(?P<token>[A-Za-z0-9_-]{32})/(?P<action>pause|resume|again|message)": StaffHandler,
            r"/healthz": HealthHandler,
            r"/metrics": MetricsHandler,
        }
        shared = {"service": self.service}
        server = BoundedServer(
            Application(
                [(pattern, handler, shared) for pattern, handler in handlers.items()],
                default_handler_class=_NothingHere,
                default_handler_args=shared,
            ),
            max_body_size=MAX_FORM,
            max_header_size=MAX_FORM,
            idle_connection_timeout=IDLE_SECONDS,
            body_timeout=BODY_SECONDS,
        )
        server.max_connections = MAX_CONNECTIONS
        self.service.begin()
        server.add_sockets(self._sockets)
        tell(f"Taking hand-ins at {self.url} (Ctrl-C ends it)")
        tell(f"For staff, on this machine only: {self.url}staff/{self.service.token}/")
        try:
            await asyncio.Event().wait()
        finally:
            server.stop()
            await asyncio.to_thread(self.service.grader.stop)


def create_server(
    course: Course, place: Place, port: int, unsafe: bool, resources: ExitStack
) -> HandInServer:
    """Return a server that has its port and its folder.

    Args:
        port: 0 for any that is free.
        resources: closed when the server has ended.

    Raises:
        CourseError: the port or hand_ins/ cannot be used, or another server uses it.
    """
    store = Store(course.root)
    resources.callback(store.close)
    resources.enter_context(store.only_server())
    return HandInServer(Service(course, store, place, unsafe), bind(port))
