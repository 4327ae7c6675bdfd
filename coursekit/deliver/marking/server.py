"""The server behind `course review --serve`: who may send requests, and what each URL does.

It listens only on this machine. Its URLs begin with a token made at each start, so neither another user of this
machine nor a page of another origin in the same browser can mark. `store` reads and writes the gradebook.
Each page works without a script; marking.js adds keyboard shortcuts, and saves each change at once.

    /TOKEN/                           asks who marks
    /TOKEN/WHO/                       all questions
    /TOKEN/WHO/WEEK/QUESTION          its answers in a row; ?answer=KEY: only one of them
    /TOKEN/WHO/WEEK/QUESTION/state    versions of all that the page shows, for the script
    /TOKEN/WHO/WEEK/QUESTION/picture  ?answer=KEY&number=N: a picture that belongs to an answer
    /TOKEN/WHO/WEEK/QUESTION/mark     POST: give an answer items, points and a comment
                            /all      POST: give an item to several answers
                            /item     POST: make, change or remove a rubric item
                            /undo     POST: take back this person's last action on this question
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

from tornado.web import Application, HTTPError, RequestHandler

from coursekit.course.config import Course, Week
from coursekit.deliver.local_server import HOST, BoundedServer, bind, headers
from coursekit.deliver.marking import store
from coursekit.deliver.marking.answers import AnswerGroup, grouped_answers, progress
from coursekit.deliver.marking.rubric import Item, Mark, as_points, as_text
from coursekit.deliver.review.week_data import WeekData, load_week, read_pictures
from coursekit.deliver.templates import Templates
from coursekit.deliver.text import make_visible
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import Question
from coursekit.intake.submissions import graded_students
from coursekit.progress import Progress, no_progress

HOSTS = {"127.0.0.1", "localhost"}  # in a request; any other is a foreign name that points to this machine
MAX_BYTES = 1_000_000  # of a request
MAX_CONNECTIONS = 200  # at a time: a few for each TA
IDLE_SECONDS = 60  # until a connection without a request is closed; browsers open another
NAME = re.compile(r"[^\W_][\w .'-]{0,39}")

_TEMPLATES = Templates(
    *("marking", "review", "feedback"),
    skip_link_to="answers",
    script="marking/marking.js",
    served=True,
    answer_characters=20_000,
)
# The one script of these pages may run and ask this server; nothing else may.
HEADERS = headers(f"script-src {_TEMPLATES.script_source}; img-src 'self'; connect-src 'self'")


class AppState:
    """The state that all requests of a server share: the course, its weeks, and their results."""

    def __init__(self, course: Course, weeks: list[Week], named: bool) -> None:
        self.course, self.weeks, self.named = course, weeks, named
        self.token = secrets.token_urlsafe(24)
        self._loaded: dict[str, tuple[Any, WeekData]] = {}  # {week: (its files' state then, its data)}

    def key_of(self, student: str) -> str:
        """Return the key of a student's answer in this server's pages: nobody learns the id from it."""
        return hmac.new(self.token.encode(), student.encode("utf-8", "replace"), "sha256").hexdigest()[:16]

    def week_data(self, week: Week, progress: Progress = no_progress) -> WeekData:
        """Return a week's results, read again if a result.json has changed; the bank may have to be graded first."""
        files = []
        for name in graded_students(self.course, week):
            with suppress(OSError):
                stat = (self.course.autograded(name, week) / "result.json").stat()
                files.append((name, stat.st_mtime_ns, stat.st_size, stat.st_ino))
        if week.name not in self._loaded or self._loaded[week.name][0] != files:
            self._loaded[week.name] = (files, load_week(self.course, week, self.named, progress))
        return self._loaded[week.name][1]


class Page(RequestHandler):
    """The checks, headers and errors that all pages share."""

    state: AppState

    def initialize(self, state: AppState) -> None:
        self.state = state

    def set_default_headers(self) -> None:
        self.clear_header("Server")
        for name, value in HEADERS.items():
            self.set_header(name, value)

    def prepare(self) -> None:
        """Refuse requests without the token, and requests from pages of another origin."""
        if not hmac.compare_digest(self.path_kwargs.pop("token").encode(), self.state.token.encode()):
            raise HTTPError(404)
        # Somebody may make a foreign name point to this machine: its pages would then be of the same origin.
        if urlsplit(f"//{self.request.host}").hostname not in HOSTS:
            raise HTTPError(403)
        origin = self.request.headers.get("Origin")
        if origin is not None and origin != f"http://{self.request.host}":
            raise HTTPError(403)

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        self.set_header("Content-Type", "text/plain; charset=utf-8")
        messages = {
            404: "There is nothing here. Use the address that `course review --serve` printed last.",
            403: "This request came from a page of another server, so nothing was done.",
        }
        error = kwargs.get("exc_info", (None, None))[1]
        if isinstance(error, CourseError):  # a circumstance, such as a gradebook that is locked
            self.set_status(503)
            messages[503] = str(error)
        status = self.get_status()
        self.finish(messages.get(status, HTTPStatus(status).phrase) + "\n")

    def log_exception(self, kind: Any, value: Any, trace: Any) -> None:
        if not isinstance(value, CourseError):
            super().log_exception(kind, value, trace)

    @property
    def home(self) -> str:
        return f"/{self.state.token}/"

    def show(self, template: str, **values: Any) -> None:
        values = {"course": self.state.course, "home": self.home, "problem": ""} | values
        self.finish(_TEMPLATES.render(template, **values))

    def field(self, name: str) -> str:
        return str(self.get_body_argument(name, "", strip=False))


class StartPage(Page):
    """Asks for a name."""

    def get(self) -> None:
        self.show("start.html", here=self.home, typed="")

    def post(self) -> None:
        who = " ".join(make_visible(self.field("who")).split())
        if NAME.fullmatch(who):
            self.redirect(f"{self.home}{quote(who)}/", status=303)
            return
        self.set_status(400)
        problem = (
            "A name begins with a letter or a digit and has at most 40 letters, digits, spaces, . ' and -."
        )
        self.show("start.html", here=self.home, typed=who, problem=problem)


class QuestionsPage(Page):
    """All questions, with the progress of each."""

    def get(self, who: str) -> None:
        weeks = []
        for week in self.state.weeks:
            questions, data = self.state.course.master(week).questions, self.state.week_data(week)
            sheets = store.read_week(self.state.course, week, questions)
            rows = zip(questions, sheets, strict=True)
            weeks.append((week, [(question, *progress(data, question, sheet)) for question, sheet in rows]))
        self.show("questions.html", who=who, weeks=weeks)


class Typed(NamedTuple):
    """A mark as it was typed, which is shown again if it could not be written."""

    items: list[str]
    points: str
    comment: str


class QuestionPage(Page):
    """A question's answers in a row, and the actions on them."""

    who: str
    week: Week
    question: Question
    data: WeekData
    here: str

    def prepare(self) -> None:
        super().prepare()
        self.who, week, question = (self.path_kwargs.pop(name) for name in ("who", "week", "question"))
        try:
            self.week = next(one for one in self.state.weeks if one.name == week)
            self.data = self.state.week_data(self.week)
            self.question = next(one for one in self.data.master.questions if one.id == question)
        except (StopIteration, CourseError):
            raise HTTPError(404) from None
        self.here = f"{self.home}{quote(self.who)}/{quote(week)}/{quote(question)}"

    def get(self, action: str = "") -> None:
        key = self.get_query_argument("answer", None)
        if action == "state":  # versions of all that the page shows
            sheet = store.read(*self.store_arguments)
            answers = {self.state.key_of(name): answer.version for name, answer in sheet.answers.items()}
            self.finish({"rubric": sheet.version, "answers": answers})
        elif key is None:
            self.page()
        elif action == "picture":
            self.picture(key, self.get_query_argument("number", ""))
        else:
            self.part(key)

    def post(self, action: str = "") -> None:
        """Carry out the action and show the page again; or say why that failed, and show what was typed."""
        if action in ("", "state", "picture"):
            raise HTTPError(405)
        key = self.field("answer") if action == "mark" else ""
        tried = Typed(self.get_body_arguments("item"), self.field("points"), self.field("comment"))
        problem = notice = ""
        try:
            if action == "mark":
                self.mark(key, tried)
            elif action == "all":
                students = [self.student_of(answer) for answer in self.get_body_arguments("answer")]
                store.give_to_all(*self.store_arguments, self.field("item"), students)
            elif action == "item":
                self.write_item()
            else:
                notice = f"Undone: {store.undo(*self.store_arguments)}."
        except CourseError as error:
            self.set_status(409 if isinstance(error, store.Conflict) else 400)
            problem = str(error)
        if part := self.field("part"):  # the script asks for only one answer
            self.part(part, problem, notice, tried if problem and action == "mark" else None)
        elif problem:
            self.page(problem, tried if action == "mark" else None, key)
        else:
            self.redirect(self.here + (f"#a-{key}" if key else ""), status=303)

    def mark(self, key: str, typed: Typed) -> None:
        points = as_points(typed.points, 0.0, self.question.max_score)
        mark = Mark(tuple(typed.items), points, as_text(typed.comment))
        store.mark(*self.store_arguments, self.student_of(key), self.field("seen"), mark)

    def write_item(self) -> None:
        text, gone, most = as_text(self.field("text")), bool(self.field("gone")), self.question.max_score
        if not text and not gone:
            raise CourseError("A rubric item is a sentence for the student; this one is empty.")
        points = as_points(self.field("points"), -most, most) if self.question.written else None
        item = Item(self.field("id") or secrets.token_hex(16), text, points or 0.0, gone)
        store.write_item(*self.store_arguments, item, self.field("seen"))

    def picture(self, key: str, number: str) -> None:
        """Send a picture of an answer; the page shows it as soon as it is scrolled to."""
        try:
            pictures = read_pictures(self.state.course, self.data, self.student_of(key))
            picture = dict(enumerate(pictures[self.question.id]))[int(number)]
        except (CourseError, KeyError, ValueError):
            raise HTTPError(404) from None
        self.set_header("Content-Type", picture.kind)
        self.finish(picture.data)

    @property
    def store_arguments(self) -> tuple[Course, Week, Question, str]:
        """Return the first arguments of `store`'s functions."""
        return self.state.course, self.week, self.question, self.who

    def student_of(self, key: str) -> str:
        """Return the id of the student with this key; raise CourseError if there is none."""
        for student in self.data.students:
            if self.state.key_of(student.id) == key:
                return student.id
        raise CourseError("There is no such answer. Load the page again.")

    def page(self, problem: str = "", tried: Typed | None = None, tried_key: str = "") -> None:
        """Send the whole page; if a mark could not be written, show it as it was typed."""
        values, groups = self.read()
        names = [one.id for one in self.data.master.questions]
        index = names.index(self.question.id)
        neighbours = {"Previous question": index - 1, "Next question": index + 1}
        links = [
            (title, quote(names[number])) for title, number in neighbours.items() if 0 <= number < len(names)
        ]
        cells = {cell.grade_id: cell.source for cell in self.data.master.cells}
        self.show(
            "question.html",
            **values,
            groups=groups,
            model=cells.get(self.question.id, ""),
            links=links,
            home=f"{self.home}{quote(self.who)}/",
            notice="",
            problem=problem,
            tried=tried,
            tried_key=tried_key,
        )

    def part(self, key: str, problem: str = "", notice: str = "", tried: Typed | None = None) -> None:
        """Send one answer and the progress, for the script."""
        values, groups = self.read()
        answer = next((one for group in groups for one in group.answers if one.key == key), None)
        if answer is None:
            raise HTTPError(404)
        values |= {"answer": answer, "problem": problem, "notice": notice, "tried": tried}
        self.finish(_TEMPLATES.render("card.html", **values) + _TEMPLATES.render("progress.html", **values))

    def read(self) -> tuple[dict[str, Any], list[AnswerGroup]]:
        """Return the values that both the page and a part of it show, and the answers."""
        sheet = store.read(*self.store_arguments)
        marked, total = progress(self.data, self.question, sheet)
        values = {
            "question": self.question,
            "sheet": sheet,
            "here": self.here,
            "marked": marked,
            "total": total,
            "undiagnosed": "" if self.question.written else self.data.undiagnosed,
        }
        return values, grouped_answers(self.data, self.question, sheet, self.state.key_of)


class _NotFound(Page):
    def prepare(self) -> None:
        raise HTTPError(404)


@dataclass(frozen=True)
class Server:
    """A server that has its port, and answers once it runs."""

    state: AppState
    sockets: list[socket]

    def run(self, show_url: Callable[[str], None]) -> None:
        """Show the URL, and answer requests until Ctrl-C raises KeyboardInterrupt."""
        logging.getLogger("tornado.access").disabled = True  # its lines hold the token
        asyncio.run(self._run(show_url))

    async def _run(self, show_url: Callable[[str], None]) -> None:
        token, who = r"/(?P<token>[^/]+)/", r"(?P<who>[^/]+)/"
        question = token + who + r"(?P<week>[^/]+)/(?P<question>[^/]+)"
        pages = {
            token: StartPage,
            token + who: QuestionsPage,
            question: QuestionPage,
            question + "/(?P<action>state|picture|mark|all|item|undo)": QuestionPage,
        }
        shared = {"state": self.state}
        server = BoundedServer(
            Application(
                [(pattern, page, shared) for pattern, page in pages.items()],
                default_handler_class=_NotFound,
                default_handler_args=shared,
            ),
            max_body_size=MAX_BYTES,
            max_buffer_size=MAX_BYTES,
            idle_connection_timeout=IDLE_SECONDS,
            body_timeout=IDLE_SECONDS,
        )
        server.max_connections = MAX_CONNECTIONS
        server.add_sockets(self.sockets)
        # Only now, since Ctrl-C may follow the URL at once: from here on the loop handles it.
        show_url(f"http://{HOST}:{self.sockets[0].getsockname()[1]}/{self.state.token}/")
        await asyncio.Event().wait()


def create_server(course: Course, weeks: list[Week], named: bool, port: int, progress: Progress) -> Server:
    """Return a server that has its port and has read all weeks' results.

    Args:
        named: show students' ids; if False, pseudonyms.
        port: 0 for any that is free.
        progress: called with (done, total) while the bank is graded, if it has to be.

    Raises:
        CourseError: the gradebook, a week's results, the roster or the port cannot be used.
    """
    store.prepare(course)
    sockets = bind(port)
    state = AppState(course, weeks, named)
    for week in weeks:
        state.week_data(week, progress)
    return Server(state, sockets)
