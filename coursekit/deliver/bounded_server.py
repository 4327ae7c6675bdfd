"""An HTTP server with a bound on open connections, so that idle ones block nobody."""

from typing import Any

from tornado.httpserver import HTTPServer
from tornado.iostream import IOStream


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
