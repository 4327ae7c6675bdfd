"""What the servers share that listen on this machine alone: their port, their headers, and a bound on connections."""

from socket import socket
from typing import Any

from tornado.httpserver import HTTPServer
from tornado.iostream import IOStream
from tornado.netutil import bind_sockets

from coursekit.engine.shared.errors import CourseError

HOST = "127.0.0.1"


def bind(port: int) -> list[socket]:
    """Return sockets that listen on a port of this machine.

    Args:
        port: 0 for any that is free.

    Raises:
        CourseError: it cannot be used.
    """
    try:
        return bind_sockets(port, HOST)
    except OSError as error:
        raise CourseError(
            f"Port {port} cannot be used ({error.strerror}). Name another with --port."
        ) from error


def headers(allowed: str) -> dict[str, str]:
    """Return the headers of all answers: nobody may frame a page, and it may load nothing but its own styles.

    Args:
        allowed: the directives of the content security policy that allow more.
    """
    return {
        "Content-Security-Policy": (
            f"default-src 'none'; style-src 'unsafe-inline'; {allowed}; form-action 'self'; base-uri 'none'; "
            "frame-ancestors 'none'"
        ),
        "Cache-Control": "no-store",
        "Cross-Origin-Opener-Policy": "same-origin",
        "Cross-Origin-Resource-Policy": "same-origin",
        # With no-referrer, browsers send a form's origin as null, which is refused.
        "Referrer-Policy": "same-origin",
        "X-Content-Type-Options": "nosniff",
    }


class BoundedServer(HTTPServer):
    """Keeps at most max_connections open: a new one closes the oldest. They count among the files of a process."""

    max_connections = 200
    _streams: tuple[IOStream, ...] = ()

    def handle_stream(self, stream: IOStream, address: tuple[Any, ...]) -> None:
        open_ones = tuple(one for one in self._streams if not one.closed())
        for oldest in open_ones[: max(0, len(open_ones) - self.max_connections + 1)]:
            oldest.close()
        self._streams = (*open_ones[-self.max_connections + 1 :], stream)
        super().handle_stream(stream, address)
