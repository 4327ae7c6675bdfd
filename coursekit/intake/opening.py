"""A download as a list of files, wherever it is: an archive, a folder, a notebook, a folder on Google Drive.

An archive may be malicious. A member that is a link or would be written outside its folder, or an archive that unpacks
to more than any class hands in, ends the command before anything is written.
"""

import errno
import io
import os
import re
import stat
import tempfile
import unicodedata
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path, PurePosixPath

from coursekit.drive import DownloadError, download_folder
from coursekit.engine.shared.errors import CourseError
from coursekit.files import printable

MAX_FILE = 100 << 20  # bytes of one file; the grader reads no more of all files of a student together
MAX_TOTAL = 20 << 30  # bytes of a whole download
MAX_PATH = 1_000  # characters, including those that a platform adds to a name
MAX_ENTRIES = 100_000
MAX_LIST = 300 * MAX_ENTRIES  # bytes of an archive's list of names
# An archive that unpacks to more than HARMLESS bytes, and to more than MAX_RATIO times its own, is not a class's work.
HARMLESS, MAX_RATIO = 1 << 30, 100
# Exceptions from reading a file of a damaged download.
BROKEN = (OSError, EOFError, RuntimeError, ValueError, zipfile.BadZipFile, zlib.error)
DRIVE_FOLDER = re.compile(r"https://drive\.google\.com/drive/(?:u/\d+/)?folders/[\w-]+(\?.*)?", re.ASCII)


@dataclass(frozen=True)
class Downloaded:
    """One file of a download.

    Attributes:
        path: below the download, with `/`, in composed Unicode (NFC).
        number: its index in the download.
        read: returns its bytes, or raises one of `BROKEN`.
    """

    path: str
    number: int
    read: Callable[[], bytes] = field(compare=False, repr=False)

    @cached_property
    def parts(self) -> tuple[str, ...]:
        return PurePosixPath(self.path).parts

    @property
    def name(self) -> str:
        return self.parts[-1]


# The files of a download, and {file: why it cannot be collected}.
Files = tuple[list[Downloaded], dict[str, str]]


@contextmanager
def opened(source: str) -> Iterator[Files]:
    """Yield the files of a download, and {file: why it cannot be collected} for the others.

    Raises:
        CourseError: no download that can be read is there, or its archive is unsafe to unpack.
    """
    path = Path(source)
    if source.startswith(("http://", "https://")):
        if not DRIVE_FOLDER.fullmatch(source):
            raise CourseError(
                f"{printable(source)} is not the address of a folder on Google Drive, which looks like "
                "https://drive.google.com/drive/folders/... Download what you mean, and give the file."
            )
        with tempfile.TemporaryDirectory(prefix="course-collect-") as folder:
            try:
                download_folder(source, Path(folder))
            except DownloadError as error:
                raise CourseError(
                    f"The folder on Google Drive {printable(str(error))}. Open it, choose Download, and give the .zip."
                ) from error
            yield _files_of_folder(Path(folder))
    elif path.is_dir():
        yield _files_of_folder(path)
    elif not path.exists():
        raise CourseError(f"There is no file or folder {printable(source)}.")
    elif path.suffix.lower() == ".ipynb":
        yield [Downloaded(_normalized(path.name), 0, path.read_bytes)], {}
    elif zipfile.is_zipfile(path):
        with _Archive(path) as file:
            try:
                archive = zipfile.ZipFile(file)
            except (zipfile.BadZipFile, OSError, ValueError, NotImplementedError) as error:
                raise CourseError(
                    f"{path} is not an archive that can be read ({error}). Download it again."
                ) from error
            file.bytes_left = None
            with archive:
                yield _files_of_archive(path, archive)
    else:
        with path.open("rb") as file:
            page = looks_like_a_page(file.read(1000))
        raise CourseError(
            f"{path} is a web page, not an archive: perhaps you were not signed in, or too many people have asked for "
            "this file. Open the page in a browser to see what it says, and download again."
            if page
            else f"{path} is not a .zip, a folder or a notebook. Unpack another kind of archive (.tar.gz, .7z, .rar) "
            "first, and give the folder. If it should be a .zip, it may be cut off: download it again."
        )


class _Archive(io.FileIO):
    """An archive whose list of names is limited: zipfile reads all of it into memory, however long it is.

    Attributes:
        bytes_left: number of bytes that may still be read; None, once the list has been read: any number.
    """

    bytes_left: int | None = MAX_LIST

    def read(self, size: int | None = -1, /) -> bytes:
        if self.bytes_left is None:
            return super().read(-1 if size is None else size)
        data = super().read(
            self.bytes_left + 1 if size is None or size < 0 else min(size, self.bytes_left + 1)
        )
        self.bytes_left -= len(data)
        if self.bytes_left < 0:
            raise CourseError(
                f"{self.name} lists far more than {MAX_ENTRIES:,} files, the most that is allowed. Nothing "
                "was collected."
            )
        return data


def looks_like_a_page(data: bytes) -> bool:
    """Return whether these bytes begin as HTML does, unlike any archive or notebook."""
    return data.removeprefix(b"\xef\xbb\xbf").lstrip()[:15].lower().startswith((b"<!doctype html", b"<html"))


def _files_of_folder(folder: Path) -> Files:
    entries: list[Downloaded] = []
    refused = {}

    def fail(error: OSError) -> None:
        where = Path(error.filename or folder)
        refused[f"{where.relative_to(folder).as_posix()}/"] = f"it cannot be read ({error.strerror})."

    for where, folders, names in os.walk(folder, onerror=fail):
        folders.sort()
        for name in [*folders, *sorted(names)]:
            path = Path(where, name)
            inside, status = _normalized(path.relative_to(folder).as_posix()), path.lstat()
            if stat.S_ISLNK(status.st_mode):
                refused[inside] = "it is a link, and links are not followed."
            elif stat.S_ISDIR(status.st_mode):
                continue
            elif not stat.S_ISREG(status.st_mode):
                refused[inside] = "it is a device, a pipe or a socket."
            elif status.st_size > MAX_FILE:
                refused[inside] = _size_problem(status.st_size)
            else:
                entries.append(Downloaded(inside, len(entries), path.read_bytes))
        if len(entries) > MAX_ENTRIES:
            raise CourseError(f"{folder} holds more than {MAX_ENTRIES:,} files: is it the right folder?")
    return entries, refused


def _files_of_archive(path: Path, archive: zipfile.ZipFile) -> Files:
    members = [member for member in archive.infolist() if not (member.is_dir() and not member.file_size)]
    total, size = sum(member.file_size for member in members), path.stat().st_size
    problem = ""
    if len(members) > MAX_ENTRIES:
        problem = f"holds {len(members):,} files; at most {MAX_ENTRIES:,} are allowed."
    elif total > MAX_TOTAL:
        problem = f"would take {total >> 30} GiB; at most {MAX_TOTAL >> 30} GiB are allowed."
    elif total > HARMLESS and total > MAX_RATIO * size:
        times = f"{total // size} times as much: no notebooks do that."
        problem = f"has {size >> 10} KiB and would unpack to {total >> 20} MiB, {times}"
    entries, refused = [], {}
    for number, member in enumerate(members):
        name = _normalized(_member_name(member))
        parts = PurePosixPath(name).parts
        kind = stat.S_IFMT(member.external_attr >> 16)
        if kind == stat.S_IFLNK:
            problem = problem or f"holds a link, {printable(name)!r}."
        elif kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            problem = problem or f"holds a device or a pipe, {printable(name)!r}."
        elif name.startswith("/") or ".." in parts or re.match(r"[A-Za-z]:", name) or "\0" in name:
            problem = problem or f"would write {printable(name)!r}, outside of its folder."
        if problem:
            raise CourseError(f"{path} {problem} Nothing was collected.")
        if not parts:
            refused[name] = "it has no name."
        elif len(name) > MAX_PATH:
            refused[f"{name[:100]}…"] = f"its name is longer than {MAX_PATH:,} characters."
        elif member.is_dir():
            refused[name] = "its name is that of a folder, but it has contents."
        elif member.flag_bits & 1:
            refused[name] = "it is encrypted."
        elif member.file_size > MAX_FILE:
            refused[name] = _size_problem(member.file_size)
        else:
            entries.append(Downloaded(name, number, _reader(archive, member)))
    return entries, refused


def _reader(archive: zipfile.ZipFile, member: zipfile.ZipInfo) -> Callable[[], bytes]:
    def read() -> bytes:
        try:
            with archive.open(member) as file:
                return file.read(MAX_FILE)  # zipfile returns at most the size in the list of names
        except OSError as error:
            if error.errno != errno.EINVAL:
                raise
            raise zipfile.BadZipFile("a part of the archive is missing: download it again") from error

    return read


def _member_name(member: zipfile.ZipInfo) -> str:
    """Return a member's name: zipfile decodes unmarked UTF-8 as the code page of DOS."""
    if not member.flag_bits & 0x800:
        with suppress(UnicodeError):
            return member.orig_filename.encode("cp437").decode("utf-8").split("\0")[0]
    return member.filename


def _normalized(path: str) -> str:
    return unicodedata.normalize("NFC", path.replace("\\", "/"))


def _size_problem(size: int) -> str:
    return f"it has {size >> 20} MiB; at most {MAX_FILE >> 20} MiB are allowed."
