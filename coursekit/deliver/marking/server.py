"""The server behind `course review --serve`: who may ask it, and what each address does.

It listens on this machine alone. Its addresses begin with a token made at each start, so neither another user of this
machine nor a page of another origin that a browser has open can mark. Reading and writing is `store`'s.

    /TOKEN/                           who marks?
    /TOKEN/WHO/                       all questions
    /TOKEN/WHO/WEEK/QUESTION          its answers in a row; ?answer=KEY: one of them alone
    /TOKEN/WHO/WEEK/QUESTION/state    what has changed, for the script
    /TOKEN/WHO/WEEK/QUESTION/mark     POST: an answer is given items, points and a comment
                            /all      POST: an item for several answers
                            /item     POST: a rubric item is made, changed or removed
                            /undo     POST: what this person did last here is taken back
"""

import asyncio
import hmac
import logging
import re
import secrets
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from http import HTTPStatus
from socket import socket
from typing import Any, NamedTuple
from urllib.parse import quote, urlsplit

from tornado.httpserver import HTTPServer
from tornado.iostream import IOStream
from tornado.netutil import bind_sockets
from tornado.web import Application, HTTPError, RequestHandler

from coursekit.course.config import Course, Week
from coursekit.deliver.marking import store
from coursekit.deliver.marking.answers import Card, Series, find_question, in_a_row, passes, progress
from coursekit.deliver.marking.pages import POLICY, render
from coursekit.deliver.marking.rubric import Given, Item, as_points, as_text
from coursekit.deliver.plain import clean
from coursekit.deliver.review.gather import Gathered, gather
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import Question
from coursekit.intake.submissions import graded

HOST = "127.0.0.1"
HOSTS = {"127.0.0.1", "localhost"}  # what a browser may call it; another name was made to point here
MOST_BYTES = 1_000_000  # of a request
MOST_CONNECTIONS = 200  # at a time: a few for each TA; a process may have 1,024 files open, these among them
IDLE_SECONDS = 60  # of a connection on which nothing is asked; browsers open another
NAME = re.compile(r"[^\W_][\w .'-]{0,39}")


class Typed(NamedTuple):
    """What somebody gave an answer and could not be written: it is shown again as it was typed."""

    items: list[str]
    points: str
    comment: str


class Common:
    """What all requests of one server share: the course, its weeks, and what is known of them."""

    def __init__(self, course: Course, weeks: list[Week], named: bool) -> None:
        self.course, self.weeks, self.named = course, weeks, named
        self.token = secrets.token_urlsafe(24)
        self._known: dict[str, tuple[Any, Gathered]] = {}

    def key_of(self, student: str) -> str:
        """What this server's pages call a student's answer: nobody learns an id from it."""
        return hmac.new(self.token.encode(), student.encode("utf-8", "replace"), "sha256").hexdigest()[:16]

    def gathered(
        self, week: Week, progress: Callable[[int, int], None] = lambda done, total: None
    ) -> Gathered:
        """What is known of a week; read again when a result is another one."""
        state = []
        for name in graded(self.course, week):
            with suppress(OSError):
                stat = (self.course.autograded(name, week) / "result.json").stat()
                state.append((name, stat.st_mtime_ns, stat.st_size, stat.st_ino))
        known = self._known.get(week.name)
        if known is None or known[0] != state:
            known = self._known[week.name] = (state, gather(self.course, week, self.named, progress))
        return known[1]


class Page(RequestHandler):
    """What holds for each address."""

    common: Common

    def initialize(self, common: Common) -> None:
        self.common = common

    def set_default_headers(self) -> None:
        self.clear_header("Server")
        for name, value in {
            "Content-Security-Policy": POLICY,
            "Cache-Control": "no-store",
            "Cross-Origin-Opener-Policy": "same-origin",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Referrer-Policy": "same-origin",  # an Origin comes with a form only where a referrer may
            "X-Content-Type-Options": "nosniff",
        }.items():
            self.set_header(name, value)

    def prepare(self) -> None:
        """Refuse whoever does not have the address, and pages of other origins that have it."""
        if not hmac.compare_digest(self.path_kwargs.pop("token").encode(), self.common.token.encode()):
            raise HTTPError(404)
        # A name of somebody else's may be made to point to this machine: then its pages are of that origin.
        if urlsplit(f"//{self.request.host}").hostname not in HOSTS:
            raise HTTPError(403)
        origin = self.request.headers.get("Origin")
        if origin is not None and origin != f"http://{self.request.host}":
            raise HTTPError(403)

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        said = {
            404: "There is nothing here. Use the address that `course review --serve` printed last.",
            403: "This request came from a page of another server, so nothing was done.",
        }
        error = kwargs.get("exc_info", (None, None))[1]
        if isinstance(error, CourseError):  # a circumstance, such as a gradebook that is locked
            self.set_status(503)
            said[503] = str(error)
        self.finish(said.get(self.get_status(), HTTPStatus(self.get_status()).phrase) + "\n")

    def log_exception(self, kind: Any, value: Any, trace: Any) -> None:
        if not isinstance(value, CourseError):
            super().log_exception(kind, value, trace)

    @property
    def home(self) -> str:
        return f"/{self.common.token}/"

    def show(self, template: str, **values: Any) -> None:
        values = {"course": self.common.course, "home": self.home, "problem": ""} | values
        self.finish(render(template, **values))

    def field(self, name: str) -> str:
        return str(self.get_body_argument(name, "", strip=False))


class Start(Page):
    """Asks for a name."""

    def get(self) -> None:
        self.show("start.html", here=self.home, typed="")

    def post(self) -> None:
        who = " ".join(clean(self.field("who")).split())
        if not NAME.fullmatch(who):
            self.set_status(400)
            problem = "A name begins with a letter or a digit and has at most 40 letters, digits, spaces, . ' and -."
            self.show("start.html", here=self.home, typed=who, problem=problem)
            return
        self.redirect(f"{self.home}{quote(who)}/", status=303)


class Questions(Page):
    """All questions, with what waits."""

    def get(self, who: str) -> None:
        weeks = []
        for week in self.common.weeks:
            questions, gathered = self.common.course.master(week).questions, self.common.gathered(week)
            sheets = store.read_week(self.common.course, week, questions)
            rows = [
                (question, *progress(gathered, question, sheet))
                for question, sheet in zip(questions, sheets, strict=True)
            ]
            weeks.append((week, rows))
        self.show("questions.html", who=who, weeks=weeks)


class OneQuestion(Page):
    """A question's answers in a row, and what can be done with them."""

    week: Week
    question: Question
    gathered: Gathered
    who: str
    here: str

    def find(self, who: str, week: str, question: str) -> None:
        self.who = who
        try:
            self.week = next(one for one in self.common.weeks if one.name == week)
            self.gathered = self.common.gathered(self.week)
            self.question = find_question(self.gathered, question)
        except (StopIteration, CourseError):
            raise HTTPError(404) from None
        self.here = f"{self.home}{quote(who)}/{quote(week)}/{quote(question)}"

    def read(self) -> tuple[store.Sheet, list[Series]]:
        sheet = store.read(self.common.course, self.week, self.question, self.who)
        return sheet, in_a_row(self.gathered, self.question, sheet, self.common.key_of)

    def get(self, who: str, week: str, question: str) -> None:
        self.find(who, week, question)
        key = self.get_query_argument("answer", None)
        if key is None:
            self.page()
        else:
            self.part(key)

    def page(self, **values: Any) -> None:
        """The whole page; with `problem`, `tried` and `tried_key` where something was not written."""
        sheet, series = self.read()
        names = [one.id for one in self.gathered.master.questions]
        place = names.index(self.question.id)
        about = {"Previous question": place - 1, "Next question": place + 1}
        ways = [(title, quote(names[number])) for title, number in about.items() if 0 <= number < len(names)]
        cells = {cell.grade_id: cell.source for cell in self.gathered.master.cells}
        model = cells.get(self.question.id, "")
        values = {"tried": None, "tried_key": "", "said": ""} | values
        self.show(
            "question.html", **self.shared(sheet), series=series, model=model, ways=ways, words=self.words,
            home=f"{self.home}{quote(self.who)}/", **values,
        )  # fmt: skip

    def part(self, key: str, **values: Any) -> None:
        """One answer and the progress, for the script."""
        sheet, series = self.read()
        answer = next((one for some in series for one in some.answers if one.key == key), None)
        if answer is None:
            raise HTTPError(404)
        values = {"tried": None, "problem": "", "said": ""} | values
        shared = self.shared(sheet) | {"answer": answer, "words": self.words(answer)} | values
        self.finish(render("card.html", **shared) + render("progress.html", **shared))

    def shared(self, sheet: store.Sheet) -> dict[str, Any]:
        marked, total = progress(self.gathered, self.question, sheet)
        return {
            "question": self.question,
            "sheet": sheet,
            "here": self.here,
            "marked": marked,
            "total": total,
            "unknown": "" if self.question.written else self.gathered.unknown,
            "undoable": sheet.undoable,
        }

    def words(self, answer: Card) -> str:
        return passes(answer.student, self.question)

    def student_of(self, key: str) -> str:
        """Raises CourseError where no student has this key."""
        for student in self.gathered.students:
            if self.common.key_of(student.id) == key:
                return student.id
        raise CourseError("There is no such answer. Load the page again.")

    def do(self, action: Callable[[], str | None], key: str = "", tried: Typed | None = None) -> None:
        """Do it, and show the page again; or say why it was not done, and keep what was typed.

        Args:
            key: of the answer that it is about.
        """
        part = self.field("part")  # the script asks for one answer alone
        try:
            said = action() or ""
        except CourseError as error:
            self.set_status(409 if isinstance(error, store.Conflict) else 400)
            if part:
                self.part(part, problem=str(error), tried=tried)
            else:
                self.page(problem=str(error), tried=tried, tried_key=key)
            return
        if part:
            self.part(part, said=said)
        else:
            self.redirect(self.here + (f"#a-{key}" if key else ""), status=303)


class State(OneQuestion):
    """Versions of all that the page shows."""

    def get(self, who: str, week: str, question: str) -> None:
        self.find(who, week, question)
        sheet = store.read(self.common.course, self.week, self.question)
        answers = {self.common.key_of(name): standing.version for name, standing in sheet.standings.items()}
        self.finish({"rubric": sheet.version, "answers": answers})


class Mark(OneQuestion):
    """An answer is given items, points and a comment."""

    def post(self, who: str, week: str, question: str) -> None:
        self.find(who, week, question)
        key = self.field("answer")
        items = self.get_body_arguments("item")
        typed = Typed(items, self.field("points"), self.field("comment"))

        def mark() -> None:
            points = as_points(typed.points, 0.0, self.question.max_score)
            given = Given(tuple(items), points, as_text(typed.comment))
            student, seen = self.student_of(key), self.field("seen")
            store.mark(self.common.course, self.week, self.question, who, student, seen, given)

        self.do(mark, key, typed)


class ForAll(OneQuestion):
    """Several answers are given an item."""

    def post(self, who: str, week: str, question: str) -> None:
        self.find(who, week, question)

        def give() -> None:
            students = [self.student_of(key) for key in self.get_body_arguments("answer")]
            item = self.field("item")
            store.give_to_all(self.common.course, self.week, self.question, who, item, students)

        self.do(give)


class RubricItem(OneQuestion):
    """A rubric item is made, changed or removed."""

    def post(self, who: str, week: str, question: str) -> None:
        self.find(who, week, question)
        most = self.question.max_score

        def write() -> None:
            text = as_text(self.field("text"))
            gone = bool(self.field("gone"))
            if not text and not gone:
                raise CourseError("A rubric item is a sentence for the student; this one is empty.")
            points = as_points(self.field("points"), -most, most) if self.question.written else None
            item = Item(self.field("id") or secrets.token_hex(16), text, points or 0.0, gone)
            store.write_item(self.common.course, self.week, self.question, who, item, self.field("seen"))

        self.do(write)


class Undo(OneQuestion):
    """What this person did last here is taken back."""

    def post(self, who: str, week: str, question: str) -> None:
        self.find(who, week, question)
        self.do(lambda: f"Undone: {store.undo(self.common.course, self.week, self.question, who)}.")


def application(common: Common) -> Application:
    """All addresses of a common."""
    token, who = r"/(?P<token>[^/]+)/", r"(?P<who>[^/]+)/"
    question = token + who + r"(?P<week>[^/]+)/(?P<question>[^/]+)"
    shared = {"common": common}
    return Application(
        [
            (token, Start, shared),
            (token + who, Questions, shared),
            (question, OneQuestion, shared),
            (question + "/state", State, shared),
            (question + "/mark", Mark, shared),
            (question + "/all", ForAll, shared),
            (question + "/item", RubricItem, shared),
            (question + "/undo", Undo, shared),
        ],
        default_handler_class=_Nothing,
        default_handler_args=shared,
    )


class _Nothing(Page):
    def prepare(self) -> None:
        raise HTTPError(404)


class _Bounded(HTTPServer):
    """Has at most MOST_CONNECTIONS: another one costs the oldest its place, so that silent ones hold up nobody."""

    _streams: tuple[IOStream, ...] = ()

    def handle_stream(self, stream: IOStream, address: tuple[Any, ...]) -> None:
        open_ones = tuple(one for one in self._streams if not one.closed())
        for oldest in open_ones[: len(open_ones) - MOST_CONNECTIONS + 1]:
            oldest.close()
        self._streams = (*open_ones[-MOST_CONNECTIONS + 1 :], stream)
        super().handle_stream(stream, address)


@dataclass(frozen=True)
class Server:
    """A common that can be asked, as soon as it runs."""

    common: Common
    sockets: list[socket]

    @property
    def address(self) -> str:
        return f"http://{HOST}:{self.sockets[0].getsockname()[1]}/{self.common.token}/"

    def run(self, tell: Callable[[str], None]) -> None:
        """Tell the address, and answer until Ctrl-C, which is a KeyboardInterrupt."""
        logging.getLogger("tornado.access").disabled = True  # its lines hold the token
        asyncio.run(self._run(tell))

    async def _run(self, tell: Callable[[str], None]) -> None:
        server = _Bounded(
            application(self.common),
            max_body_size=MOST_BYTES,
            max_buffer_size=MOST_BYTES,
            idle_connection_timeout=IDLE_SECONDS,
            body_timeout=IDLE_SECONDS,
        )
        server.add_sockets(self.sockets)
        tell(self.address)  # not before: whoever sees it may press Ctrl-C, which the loop takes from here on
        await asyncio.Event().wait()


def set_up(
    course: Course,
    weeks: list[Week],
    named: bool,
    port: int,
    progress: Callable[[int, int], None],
) -> Server:
    """A server whose first page is ready.

    Args:
        port: 0 for any that is free.
        progress: told how much of the bank has been graded, where that has to be done first.

    Raises:
        CourseError: the gradebook cannot be used, or the port is taken.
    """
    store.prepare(course)
    try:
        sockets = bind_sockets(port, HOST)
    except OSError as error:
        raise CourseError(
            f"Port {port} cannot be used ({error.strerror}). Name another with --port."
        ) from error
    common = Common(course, weeks, named)
    for week in weeks:
        common.gathered(week, progress)
    return Server(common, sockets)
