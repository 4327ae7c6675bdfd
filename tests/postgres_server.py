"""A PostgreSQL server of the tests' own: on loopback, in a temporary folder, gone at the end."""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

import psycopg
import pytest

USER = "course"
PASSWORD = "p@ss:w/rd%41"  # all that a URL has to quote


def _unprivileged() -> list[str]:
    """What to put before a command: the server refuses to run as root, and it must end with these tests."""
    command = ["setpriv", "--pdeathsig", "QUIT"]
    if os.getuid() == 0:
        entry = _account()
        command += [f"--reuid={entry.pw_uid}", f"--regid={entry.pw_gid}", "--clear-groups"]
    return command


def _account():
    try:
        return pwd.getpwnam("postgres")
    except KeyError:
        return pwd.getpwnam("nobody")


class Server:
    """One server; it can be stopped and started again. `programs` is the folder of PostgreSQL's programs."""

    def __init__(self, programs: Path, folder: Path):
        self.programs = programs
        self.folder = folder
        self.port = 0
        self._process = None
        self._made = 0
        (folder / "password").write_text(PASSWORD)
        if os.getuid() == 0:
            for path in (folder, folder / "password"):
                os.chown(path, _account().pw_uid, _account().pw_gid)
        command = [programs / "initdb", "-D", folder / "data", "-U", USER, "--auth=scram-sha-256"]
        command += [f"--pwfile={folder / 'password'}", "--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"]
        subprocess.run([*_unprivileged(), *command], check=True, capture_output=True, cwd=folder)

    def start(self) -> None:
        for _ in range(5):  # somebody may take the port between the two
            if not self.port:
                with socket.create_server(("127.0.0.1", 0)) as probe:
                    self.port = probe.getsockname()[1]
            command = [self.programs / "postgres", "-D", self.folder / "data", "-p", str(self.port)]
            for setting in (
                *("listen_addresses=127.0.0.1", f"unix_socket_directories={self.folder}", "fsync=off"),
                *("synchronous_commit=off", "full_page_writes=off", "shared_buffers=16MB"),
            ):
                command += ["-c", setting]
            with open(self.folder / "log", "ab") as log:
                self._process = subprocess.Popen(
                    [*_unprivileged(), *command],
                    stdin=subprocess.DEVNULL,
                    stdout=log,
                    stderr=log,
                    cwd=self.folder,
                )
            if self._answers():
                return
            self.port = 0
        pytest.fail("The database server did not start:\n" + (self.folder / "log").read_text()[-3000:])

    def _answers(self) -> bool:
        end = time.monotonic() + 60
        while self._process.poll() is None and time.monotonic() < end:
            try:
                self.connect("postgres").close()
                return True
            except psycopg.OperationalError:
                time.sleep(0.05)
        return False

    def stop(self) -> None:
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(signal.SIGINT)  # ends sessions, does not wait for them
            self._process.wait(60)

    def connect(self, database: str):
        return psycopg.connect(
            host="127.0.0.1", port=self.port, user=USER, password=PASSWORD, dbname=database, autocommit=True
        )

    def new_database(self) -> str:
        """Make an empty one; gives its name."""
        self._made += 1
        name = f"course{self._made}"
        with self.connect("postgres") as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return name

    def url(self, database: str) -> str:
        """As an instructor writes it into nbgrader_config.py, with the password in it."""
        from sqlalchemy import URL

        url = URL.create("postgresql+psycopg", USER, PASSWORD, "127.0.0.1", self.port, database)
        return url.render_as_string(hide_password=False)


@contextmanager
def running_server(programs: Path):
    """A server for as long as the block lasts. The folder is not pytest's: another user must get into it."""
    folder = Path(tempfile.mkdtemp(prefix="course-postgres-"))
    server = Server(programs, folder)
    try:
        server.start()
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder)
