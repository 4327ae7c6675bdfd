"""Downloads that somebody broke, or made to harm.

The table in docs/collecting.md says of each how it is made, what `course collect` says of it and whose files it puts in
place; tests/test_archives.py holds every row to what the command really does. In each download lies, besides what is
broken, the good notebook of a student called ann.
"""

import io
import json
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable
from pathlib import Path

from small_course import make_course

from coursekit.intake.collect import Collected, collect

WEEK, OTHER = "week1_attention", "week2_multi_head"
NAME = "attention.ipynb"
ANN, BO, CY = f"{WEEK}__ann.ipynb", f"{WEEK}__bo.ipynb", f"{WEEK}__cy.ipynb"


def notebook(text: str = "1") -> bytes:
    cell = {
        "cell_type": "code",
        "id": "a",
        "metadata": {},
        "source": text,
        "outputs": [],
        "execution_count": None,
    }
    return json.dumps({"cells": [cell], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()


A, B, C = notebook("ann"), notebook("bo"), notebook("cy")
PAGE = b"<!DOCTYPE html><html><head><title>Sign in</title></head><body>Sign in to continue.</body></html>"
QUOTA = (
    b"<!DOCTYPE html><html><head><title>Google Drive - Quota exceeded</title></head><body>Sorry, you can't view or "
    b"download this file at this time.</body></html>"
)
MIB = 1 << 20

Files = dict[str, bytes] | Iterable[tuple[str | zipfile.ZipInfo, bytes]]


def packed(files: Files, name: str = "submissions.zip", how: int = zipfile.ZIP_DEFLATED) -> tuple[str, bytes]:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", how) as file:
        for path, data in files.items() if isinstance(files, dict) else files:
            file.writestr(path, data)
    return name, out.getvalue()


def collected(root: Path, files: Files, roster: str | bytes = "") -> Collected:
    """Make the small course in a folder, with this roster, and collect a download of these files."""
    course, week = make_course(root)
    if roster:
        (root / "roster.csv").write_bytes(roster if isinstance(roster, bytes) else roster.encode())
    (root / "download.zip").write_bytes(packed(files)[1])
    return collect(course, week, str(root / "download.zip"))


def with_ann(*files: tuple[str | zipfile.ZipInfo, bytes]) -> Callable[[], tuple[str, bytes]]:
    return lambda: packed([(ANN, A), *files])


def of_kind(name: str, kind: int) -> zipfile.ZipInfo:
    """A member that says it is a link, a device, ..."""
    info = zipfile.ZipInfo(name)
    info.create_system, info.external_attr = 3, (kind | 0o777) << 16
    return info


CENTRAL, LOCAL, END = b"PK\1\2", b"PK\3\4", b"PK\5\6"


def edited(change: Callable[[bytearray, int, int], None], data: bytes = B) -> Callable[[], tuple[str, bytes]]:
    """Two notebooks, ann's and bo's, and something changed at the places of bo's entry and bo's file."""

    def make() -> tuple[str, bytes]:
        name, whole = packed([(ANN, A), (BO, data)])
        found = bytearray(whole)
        change(found, found.index(CENTRAL, found.index(CENTRAL) + 1), found.index(LOCAL, 10))
        return name, bytes(found)

    return make


def put(place: int, data: bytes, *, local: bool = False) -> Callable[[bytearray, int, int], None]:
    """Write this so many bytes after the beginning of bo's entry in the list of names, or of bo's file."""

    def change(found: bytearray, entry: int, file: int) -> None:
        start = (file if local else entry) + place
        found[start : start + len(data)] = data

    return change


def raw_name(name: bytes) -> Callable[[], tuple[str, bytes]]:
    """A name in these very bytes, which the archive does not call UTF-8."""

    def make() -> tuple[str, bytes]:
        stand_in = "x" * len(name)
        archive, data = packed([(ANN, A), (stand_in, B)])
        return archive, data.replace(stand_in.encode(), name)

    return make


def one_for_all(names: list[str], data: bytes) -> tuple[str, bytes]:
    """An archive whose names all lead to one and the same file, which calls itself as the first one does."""
    squeezed = zlib.compressobj(9, zlib.DEFLATED, -15)
    packed_data = squeezed.compress(data) + squeezed.flush()

    def about(name: str) -> bytes:
        sizes = (zlib.crc32(data), len(packed_data), len(data))
        return struct.pack("<HHHHHIIIHH", 20, 0, 8, 0, 0x21, *sizes, len(name), 0)

    file = LOCAL + about(names[0]) + names[0].encode() + packed_data
    listed = b"".join(
        CENTRAL + struct.pack("<H", 20) + about(name) + bytes(14) + name.encode() for name in names
    )
    counts = (len(names), len(names), len(listed), len(file))
    return "submissions.zip", file + listed + END + struct.pack("<HHHHIIH", 0, 0, *counts, 0)


def many_bombs(count: int, size: int) -> tuple[str, bytes]:
    """So many files of zeros, each of its own in the archive: packed once, since that takes a second."""
    entries, files = [], b""
    _, one = one_for_all(["x" * len(f"{WEEK}__s00.ipynb")], bytes(size))
    start, end = one.index(CENTRAL), one.index(END)
    for number in range(count):
        name = f"{WEEK}__s{number:02}.ipynb".encode()
        entry = one[start:end].replace(b"x" * len(name), name)
        entries.append(entry[:42] + struct.pack("<I", len(files)) + entry[46:])
        files += one[:start].replace(b"x" * len(name), name)
    listed = b"".join(entries)
    return "submissions.zip", files + listed + END + struct.pack(
        "<HHHHIIH", 0, 0, count, count, len(listed), len(files), 0
    )


def says_large() -> tuple[str, bytes]:
    """Six files of a few bytes that the list of names calls 3.75 GiB each."""
    name, data = packed([(ANN, A), *((f"{WEEK}__s{number}.ipynb", B) for number in range(6))])
    found, place = bytearray(data), data.index(CENTRAL)
    while (place := found.find(CENTRAL, place + 1)) > 0:
        found[place + 24 : place + 28] = (15 << 28).to_bytes(4, "little")
    return name, bytes(found)


def listed_only(count: int) -> tuple[str, bytes]:
    """So many entries of 0 bytes, ann's among them."""
    return packed(
        [(ANN, A), *((f"ann/{number:x}", b"") for number in range(count - 1))], how=zipfile.ZIP_STORED
    )


def a_long_list(count: int) -> tuple[str, bytes]:
    """A list of names alone, each of 0 bytes at the very same place."""
    name, data = packed([(ANN, A)])
    entry = CENTRAL + struct.pack("<HHHHHHIIIHH", 20, 20, 0, 0, 0, 0x21, 0, 0, 0, 1, 0) + bytes(14) + b"x"
    listed = data[data.index(CENTRAL) : data.index(END)] + entry * count
    # The counts of entries have two bytes; nobody reads them.
    end = struct.pack("<HHHHIIH", 0, 0, 0xFFFE, 0xFFFE, len(listed), data.index(CENTRAL), 0)
    return name, data[: data.index(CENTRAL)] + listed + END + end


def nested(times: int) -> bytes:
    data = B
    for _ in range(times):
        data = packed({"inside.zip": data})[1]
    return data


def tar() -> tuple[str, bytes]:
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w:gz") as file:
        info = tarfile.TarInfo(ANN)
        info.size = len(A)
        file.addfile(info, io.BytesIO(A))
    return "submissions.tar.gz", out.getvalue()


def cut(part: float) -> Callable[[], tuple[str, bytes]]:
    def make() -> tuple[str, bytes]:
        name, data = packed({ANN: A, BO: B, CY: C})
        return name, data[: int(len(data) * part)]

    return make


def wrong_place() -> tuple[str, bytes]:
    name, data = packed({ANN: A, BO: B})
    end = data.index(END)
    return name, data[: end + 16] + struct.pack("<I", len(data) * 3) + data[end + 20 :]


def in_parts() -> tuple[str, bytes]:
    """The last of three parts, as a program writes it that splits archives."""
    name, data = packed({ANN: A, BO: B})
    end = data.index(END)
    return name, data[data.index(CENTRAL) : end + 4] + struct.pack("<HH", 2, 2) + data[end + 8 :]


def laughs() -> bytes:
    """Metadata in YAML that say little and unfold to a thousand million names."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, 9)]
    lines += ["submission_1:", "  :submitters:", "  - :sid: *a8", "  :created_at: *a8"]
    return "\n".join(lines).encode()


# {the download, as the table calls it: a function that returns the file's name and its bytes}
DOWNLOADS: dict[str, Callable[[], tuple[str, bytes]]] = {
    # Paths and links.
    "a path out of its folder": with_ann(("../../evil.ipynb", B)),
    "a path out, inside a name": with_ann((f"bo/{WEEK}/../../../evil.ipynb", B)),
    "an absolute path": with_ann(("/etc/cron.d/evil", B)),
    "a drive of Windows": with_ann(("C:\\evil.ipynb", B)),
    "a path out, as Windows writes it": with_ann(("..\\..\\evil.ipynb", B)),
    "a link": with_ann((of_kind("bo/attention.ipynb", stat.S_IFLNK), b"/etc/passwd")),
    "a link for a folder": with_ann((of_kind("bo", stat.S_IFLNK), b"/etc"), ("bo/passwd", B)),
    "a device": with_ann((of_kind("bo/zero", stat.S_IFCHR), b"")),
    "a pipe": with_ann((of_kind("bo/pipe", stat.S_IFIFO), b"")),
    # Too much.
    "a bomb": lambda: many_bombs(24, 90 * MIB),
    "a bomb of overlapping files": lambda: one_for_all([f"{WEEK}__bo.ipynb"] * 1500, bytes(MIB)),
    "too many files": lambda: listed_only(100_001),
    "many files of one student": with_ann(
        *((f"bo_2_{number}_x.ipynb", notebook(str(number))) for number in range(1000))
    ),
    "a list of names without an end": lambda: a_long_list(1_000_000),
    "21 GiB, it says": says_large,
    "too large a file": edited(put(24, (200 * MIB).to_bytes(4, "little"))),
    "more than it says": edited(put(24, (10).to_bytes(4, "little")), bytes(50 * MIB)),
    # No archive, or half of one.
    "empty": lambda: ("submissions.zip", b""),
    "an archive of nothing": lambda: packed({}),
    "cut off": cut(0.6),
    "cut off in the list of names": cut(0.95),
    "one part of several": in_parts,
    "a list of names that is elsewhere": wrong_place,
    "a .tar.gz": tar,
    "a .tar.gz that is called .zip": lambda: ("submissions.zip", tar()[1]),
    "a .rar that is called .zip": lambda: ("submissions.zip", b"Rar!\x1a\x07\x01\x00" + bytes(500)),
    "a .7z that is called .zip": lambda: ("submissions.zip", b"7z\xbc\xaf\x27\x1c\x00\x04" + bytes(500)),
    "Google Drive's quota": lambda: ("submissions.zip", QUOTA),
    "a login page": lambda: ("submissions.zip", PAGE),
    "something before it": lambda: ("submissions.zip", bytes(MIB) + packed({ANN: A, BO: B})[1]),
    # One file of several.
    "an encrypted file": edited(put(8, b"\1")),
    "a wrong checksum": edited(put(16, b"\0\1\2\3")),
    "a damaged file": edited(put(30 + len(BO), b"\xff" * 8, local=True), B * 50),
    "an unknown compression": edited(put(10, b"\x63\0")),
    "two names for one file": edited(put(30 + len(WEEK) + 2, b"cy", local=True)),
    "a file that begins after the end": edited(put(42, b"\0\0\xff\0")),
    # Names.
    "no name": with_ann((".", B), ("./.", B)),
    "a name that steers a terminal": with_ann((f"{WEEK}__bo\x1b[2J.ipynb", B)),
    "a very long name": with_ann((f"{'李' * 180}_7_assignsubmission_file/{NAME}", B)),
    "a very long name of a file": with_ann((f"bo_7_assignsubmission_file/{'李' * 180}.csv", b"1,2")),
    "names of Windows": with_ann((f"{WEEK}__CON.ipynb", B), (f"{WEEK}__NUL.ipynb", C)),
    "upper and lower case": with_ann((BO, B), (f"{WEEK}__BO.ipynb", C)),
    "composed and decomposed letters": with_ann(
        (f"{WEEK}__Jos\u00e9.ipynb", B), (f"{WEEK}__Jose\u0301.ipynb", C)
    ),
    "one name twice": with_ann((BO, B), (BO, C)),
    "UTF-8 that is not marked as UTF-8": raw_name(f"{WEEK}__José.ipynb".encode()),
    "letters of another encoding": raw_name(f"{WEEK}__山田.ipynb".encode("shift_jis")),
    # What is no notebook.
    "a notebook of 0 bytes": with_ann((BO, b"")),
    "a notebook that is a web page": with_ann((BO, PAGE)),
    "a notebook that is a folder": lambda: packed({f"ann/{NAME}": A, f"bo/{NAME}/x.txt": b"x"}),
    "a folder with bytes": with_ann((f"{BO}/", B)),
    "a notebook called .ipynb.txt": with_ann((f"{BO}.txt", B)),
    "what macOS and Jupyter leave": with_ann(
        (f"__MACOSX/._{ANN}", b"\0\5\x16\7"),
        (f"._{ANN}", b"\0\5\x16\7"),
        (".DS_Store", b"\0"),
        (f".ipynb_checkpoints/{WEEK}__ann-checkpoint.ipynb", B),
    ),
    "an archive in an archive in an archive": with_ann((f"{WEEK}__bo.zip", nested(3))),
    "a thousand nested archives": with_ann((f"{WEEK}__bo.zip", nested(1000))),
    "the download packed once more": lambda: packed({"submissions.zip": packed({ANN: A})[1]}),
    # What the platforms name.
    "Gradescope without its list": lambda: packed(
        {f"assignment_5_export/submission_{n}/{NAME}": data for n, data in ((1001, B), (1002, C))}
    ),
    "Gradescope's list, cut off": lambda: packed(
        {
            "assignment_5_export/submission_metadata.yml": b"---\nsubmission_1001:\n  :submitters: [{:sid: '3",
            f"assignment_5_export/submission_1001/{NAME}": B,
            f"assignment_5_export/submission_1002/{NAME}": C,
        }
    ),
    "Gradescope's list, made to unfold": lambda: packed(
        {"submission_metadata.yml": laughs(), f"submission_1/{NAME}": B}
    ),
    "Canvas' name, cut short": lambda: packed({f"ann_101_9001_{NAME}": A, f"bo_102_{NAME}": B}),
    "Moodle's folder, named anew": lambda: packed(
        {f"ann_7001_assignsubmission_file/{NAME}": A, f"Bo/{NAME}": B}
    ),
    "another week": with_ann(("week2_multi_head__bo.ipynb", B)),
    "nobody's": with_ann((NAME, B)),
}
