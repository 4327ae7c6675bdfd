"""Two things that nbgrader's formgrader needs in this course; `nbgrader_config.py` asks for them."""

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
