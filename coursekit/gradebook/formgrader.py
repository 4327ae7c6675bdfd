"""Three things that nbgrader's formgrader needs in this course; `nbgrader_config.py` asks for them."""

from datetime import datetime
from pathlib import Path

from nbgrader.apps.api import NbGraderAPI
from nbgrader.exchange import ExchangeError
from nbgrader.exchange.default import ExchangeList
from nbgrader.server_extensions.formgrader.base import BaseHandler


class NoExchange(ExchangeList):
    """Says that there is no exchange folder: students get their notebooks from a repository, not from this machine.

    nbgrader's own class says so too, but as a critical line in the log at each request.
    """

    def start(self):
        raise ExchangeError("this course has no exchange folder")


def forget_after_each_request() -> None:
    """Let the formgrader read the gradebook anew at each request.

    It keeps one database session for the life of the server, and goes on showing the marks that it read first after
    `course grade` wrote others. Nothing is lost by closing the session: each change is committed as it is made.
    """

    def on_finish(handler):
        gradebook = handler.settings.get("nbgrader_gradebook")
        if gradebook is not None:
            gradebook.db.remove()

    BaseHandler.on_finish = on_finish


def read_times_as_recorded() -> None:
    """Let the formgrader read a timestamp.txt as the gradebook does: its own way waits for a pipe without end."""
    from coursekit.gradebook.timestamps import TIMESTAMP, read_time

    def get_submitted_timestamp(api: NbGraderAPI, assignment_id: str, student_id: str) -> datetime | None:
        folder = api.coursedir.format_path(api.coursedir.submitted_directory, student_id, assignment_id)
        return read_time(Path(folder).absolute() / TIMESTAMP)

    NbGraderAPI.get_submitted_timestamp = get_submitted_timestamp
