"""Serve a week's data files to this machine, as the students' repository will serve them to Colab."""

import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import unquote, urlsplit

from coursekit.engine.shared.data_files import DataFile


@contextmanager
def served(files: Iterable[DataFile]) -> Iterator[str]:
    """Yield the beginning of the URL under which each file is found by its name, until the context ends."""
    paths = {f"/{file.name}": file.path for file in files}

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            path = paths.get(unquote(urlsplit(self.path).path))
            data = Path(path).read_bytes() if path else b""
            self.send_response(200 if path else 404)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def log_message(self, format: str, *arguments: object) -> None:
            """Log nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05})
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}/"
        finally:
            server.shutdown()
            thread.join()
