"""Changes to nbgrader's formgrader that a course needs; `settings` calls `adapt`."""

import asyncio
import html
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from datetime import datetime
from functools import wraps
from pathlib import Path
from typing import Any

import msgpack
from nbgrader.apps.api import NbGraderAPI
from nbgrader.exchange import ExchangeError
from nbgrader.exchange.default import ExchangeList
from nbgrader.server_extensions.formgrader.base import BaseHandler
from nbgrader.server_extensions.formgrader.handlers import SubmissionHandler

from coursekit.confined.worker import NotDone, Worker
from coursekit.engine.shared.errors import CourseError
from coursekit.gradebook.timestamps import TIMESTAMP, read_time

PAGE_SECONDS = 10  # of CPU time, for a page that takes 0.3
_WORKER = "coursekit_pages"  # the server's setting that holds the worker
_original_get = SubmissionHandler.get


class NoExchange(ExchangeList):
    """Says that there is no exchange folder: students get their notebooks from a repository, not from this machine.

    nbgrader's own class says so too, but as a critical line in the log at each request.
    """

    def start(self) -> None:
        raise ExchangeError("this course has no exchange folder")


def adapt(buttons: bool) -> None:
    """Correct nbgrader's formgrader for this course.

    Args:
        buttons: make its buttons run commands of `course`, and refuse those that have no meaning here.
    """
    BaseHandler.on_finish = _close_session
    NbGraderAPI.get_submitted_timestamp = _submitted_timestamp
    SubmissionHandler.get = _get_page
    SubmissionHandler.exporter = property(lambda handler: handler._page)
    if buttons:
        for method, command in _COMMANDS.items():
            setattr(NbGraderAPI, method, _run_course(command))
        for method, sentence in _REFUSALS.items():
            setattr(NbGraderAPI, method, _refuse(sentence))


def _close_session(handler: BaseHandler) -> None:
    """Let the formgrader read the gradebook anew at each request.

    It keeps one database session for the life of the server, so it would still show old marks after `course grade`
    wrote new ones. Nothing is lost by closing the session: each change is committed as it is made.
    """
    gradebook = handler.settings.get("nbgrader_gradebook")
    if gradebook is not None:
        gradebook.db.remove()


def _submitted_timestamp(api: NbGraderAPI, assignment_id: str, student_id: str) -> datetime | None:
    """Return the time that the gradebook reads from timestamp.txt: nbgrader's own waits forever if that is a pipe."""
    folder = api.coursedir.format_path(api.coursedir.submitted_directory, student_id, assignment_id)
    return read_time(Path(folder).absolute() / TIMESTAMP)


class _Page:
    """Stands in for nbgrader's exporter: remembers which page was asked for, and leaves it to us."""

    filename = ""

    def from_filename(self, filename: str, resources: dict[str, Any]) -> tuple[str, dict[str, Any]]:
        self.filename, self.resources = filename, resources
        return "", resources


@wraps(_original_get)
async def _get_page(handler: SubmissionHandler, submission_id: str) -> None:
    """Send the page of a submission, made in a confined process with a time limit.

    nbgrader makes it in the server's only thread: a notebook that takes an hour stops the server for all TAs.
    """
    requested = handler._page = _Page()
    _original_get(handler, submission_id)
    if requested.filename:
        settings = handler.settings
        if _WORKER not in settings:
            setup = pickle.dumps(settings["nbgrader_exporter"].config)
            settings[_WORKER] = Worker("coursekit.gradebook.submission_page", setup, seconds=PAGE_SECONDS)
        page = await asyncio.to_thread(
            page_of, Path(requested.filename), requested.resources, settings[_WORKER]
        )
        handler.write(page)


def page_of(notebook: Path, resources: dict[str, Any], worker: Worker) -> str:
    """Return a submission's page, made plainly if colours and Markdown take too long; or else one that says why."""
    reason = "it takes too long to be shown"
    for exporter in ("rich", "plain"):
        try:
            return worker.do(msgpack.packb([exporter, notebook.read_bytes(), resources])).decode()
        except NotDone:
            continue
        except (CourseError, OSError) as error:
            reason = str(error)
            break
    return (
        "<!DOCTYPE html><title>Not shown</title><p>This notebook cannot be shown here. Open it in JupyterLab: "
        f"{html.escape(str(notebook))}</p><pre>{html.escape(reason)}</pre>"
    )


# nbgrader's own *Autograde* runs a student's code without a sandbox, removes `result.json` and takes marks back. Its
# *Generate Feedback* shows hidden tests.
_COMMANDS = {"generate_assignment": "release", "autograde": "grade", "generate_feedback": "feedback"}
_UPDATE = "Students get their notebooks from a repository, not from an exchange folder. `course publish` updates it."
_REFUSALS = {
    "release_assignment": _UPDATE,
    "unrelease": _UPDATE,
    "collect": (
        "There is no exchange folder to collect from: `course collect WEEK DOWNLOAD` takes what a platform gives."
    ),
    "release_feedback": (
        "There is no exchange folder to put pages into. The pages are in feedback/, in one folder for each student."
    ),
}


def _run_course(command: str) -> Callable[..., dict[str, Any]]:
    """Return a button's method that runs `course COMMAND WEEK`, for only one student if the button is a student's."""

    def run(api: NbGraderAPI, assignment_id: str, student_id: str | None = None, **_: Any) -> dict[str, Any]:
        student = [] if student_id is None else [f"--student={student_id}"]
        done = subprocess.run(
            [sys.executable, "-m", "coursekit.cli", command, *student, "--", assignment_id],
            cwd=api.coursedir.root,
            env=os.environ | {"NO_COLOR": "1"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        return {"success": done.returncode == 0, "log": done.stdout, "error": ""}

    return run


def _refuse(sentence: str) -> Callable[..., dict[str, Any]]:
    """Return a button's method that answers with this sentence."""
    return lambda *_, **__: {"success": False, "log": sentence, "error": ""}
