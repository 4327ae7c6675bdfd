"""Servers on loopback that behave as mirrors do on a bad day, Google Drive's among them.

`Mirrors` speaks HTTP. `Drive` stands behind an HTTPS proxy of its own and answers for drive.google.com, so gdown's own
way to a Drive id is gone, page by page; `Drive.environment` leads any program there.
"""

import datetime
import socket
import ssl
import threading
import time
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

# The page as Google Drive words it, with the element that gdown looks for.
QUOTA = b"""<!DOCTYPE html><html><head><title>Google Drive - Quota exceeded</title></head><body><div id="uc-text">
<p class="uc-error-caption">Sorry, you can't view or download this file at this time.</p>
<p class="uc-error-subcaption">Too many users have viewed or downloaded this file recently. Please try accessing the \
file again later. If the file you are trying to access is particularly large or is shared with many people, it may \
take up to 24 hours to be able to view or download the file.</p></div></body></html>"""
PAGE = b"<!DOCTYPE html><html><body><h1>Welcome to the library</h1></body></html>"
Answer = Callable[[BaseHTTPRequestHandler], None]


def gives(
    data: bytes, kind: str = "application/zip", status: int = 200, promised: int = 0, **headers
) -> Answer:
    """An answer of these bytes; `promised` says a length that is not kept."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        handler.send_response(status)
        handler.send_header("Content-Type", kind)
        handler.send_header("Content-Length", str(promised or len(data)))
        for name, value in headers.items():
            handler.send_header(name.replace("_", "-"), value)
        handler.end_headers()
        handler.wfile.write(data)

    return answer


def stalls(data: bytes) -> Answer:
    """Promises all, sends half, and keeps the line open."""

    def answer(handler: BaseHTTPRequestHandler) -> None:
        gives(data[: len(data) // 2], promised=len(data))(handler)
        handler.wfile.flush()
        time.sleep(30)

    return answer


def says_nothing(handler: BaseHTTPRequestHandler) -> None:
    time.sleep(30)


class Mirrors:
    """An HTTP server with an answer for each path: `Mirrors({"/a.zip": gives(data)})`."""

    def __init__(self, answers: dict[str, Answer]) -> None:
        self.asked: list[str] = []

        class Handler(BaseHTTPRequestHandler):
            def do_GET(handler) -> None:
                self.asked.append(handler.path)
                answers.get(handler.path.partition("?")[0], gives(PAGE, "text/html", 404))(handler)

            def log_message(self, *_) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.server.block_on_close = False

    @property
    def port(self) -> int:
        return self.server.server_address[1]

    def address(self, path: str) -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_) -> None:
        self.server.shutdown()
        self.server.server_close()


class Drive(Mirrors):
    """As `Mirrors`, under the name drive.google.com, behind a proxy.

    Args:
        answer: to whoever asks for a file.
        folder: for the certificate.
        listing: to whoever asks what a shared folder holds; default: it is not shared.
    """

    def __init__(self, answer: Answer, folder: Path, listing: Answer | None = None) -> None:
        super().__init__({"/uc": answer} | ({"/embeddedfolderview": listing} if listing else {}))
        certificate = _certificate(folder)
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(certificate)
        self.server.socket = context.wrap_socket(self.server.socket, server_side=True)
        self.proxy = socket.create_server(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{self.proxy.getsockname()[1]}"
        self.environment = {
            "HTTPS_PROXY": address,
            "https_proxy": address,
            "NO_PROXY": "",
            "no_proxy": "",
            "REQUESTS_CA_BUNDLE": str(certificate),
        }

    def __enter__(self):
        threading.Thread(target=self._serve_proxy, daemon=True).start()
        return super().__enter__()

    def __exit__(self, *_) -> None:
        self.proxy.close()
        super().__exit__(*_)

    def _serve_proxy(self) -> None:
        while True:
            try:
                client, _ = self.proxy.accept()
            except OSError:
                return
            threading.Thread(target=self._tunnel, args=(client,), daemon=True).start()

    def _tunnel(self, client: socket.socket) -> None:
        """CONNECT to Drive leads to this server; to anywhere else nowhere."""
        head = b""
        while b"\r\n\r\n" not in head:
            head += client.recv(4096)
        if not head.startswith(b"CONNECT drive.google.com:443 "):
            client.sendall(b"HTTP/1.1 403 Forbidden\r\n\r\n")
            client.close()
            return
        server = socket.create_connection(("127.0.0.1", self.port))
        client.sendall(b"HTTP/1.1 200 Connection established\r\n\r\n")
        for one, other in ((client, server), (server, client)):
            threading.Thread(target=_pump, args=(one, other), daemon=True).start()


def _pump(source: socket.socket, target: socket.socket) -> None:
    try:
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def _certificate(folder: Path) -> Path:
    """A certificate for drive.google.com that only programs under test believe, with its key."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "a test's Drive")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder()
        .subject_name(name)
        .issuer_name(name)
        .public_key(key.public_key())
        .serial_number(x509.random_serial_number())
        .not_valid_before(now - datetime.timedelta(days=1))
        .not_valid_after(now + datetime.timedelta(days=1))
        .add_extension(x509.SubjectAlternativeName([x509.DNSName("drive.google.com")]), critical=False)
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    path = folder / "drive.pem"
    path.write_bytes(
        key.private_bytes(
            serialization.Encoding.PEM,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
        + certificate.public_bytes(serialization.Encoding.PEM)
    )
    return path
