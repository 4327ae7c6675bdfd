"""Downloads that somebody broke, or made to harm: what `course collect` says of each, and what it puts in place.

The table in docs/collecting.md is made of this list (`python tests/test_archives.py`), and tests/test_archives.py holds
every line of it. In each download lies, besides what is broken, the good notebook of a student called ann.
"""

import io
import json
import stat
import struct
import tarfile
import zipfile
import zlib
from collections.abc import Callable, Iterable
from dataclasses import dataclass

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


@dataclass(frozen=True)
class Download:
    """One download, and what each of it gets.

    Attributes:
        made: how it is made, in words.
        make: gives the file's name and its bytes.
        said: what is said of it; DOWNLOAD stands for its path. With exit code 2 this is why nothing was
            collected, with 1 what was not placed and why, with 0 what the table asks a person to look at.
        code: the command's exit code.
        placed: whose folders are in submitted/ afterwards.
    """

    made: str
    make: Callable[[], tuple[str, bytes]]
    said: str
    code: int
    placed: tuple[str, ...] = ("ann",)


def packed(files: Files, name: str = "submissions.zip", how: int = zipfile.ZIP_DEFLATED) -> tuple[str, bytes]:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", how) as file:
        for path, data in files.items() if isinstance(files, dict) else files:
            file.writestr(path, data)
    return name, out.getvalue()


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
    """Write this behind the beginning of bo's entry in the list of names, or of bo's file."""

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


DOWNLOADS: dict[str, Download] = {
    # Paths and links.
    "a path out of its folder": Download(
        "a file `../../evil.ipynb`",
        with_ann(("../../evil.ipynb", B)),
        "DOWNLOAD would write '../../evil.ipynb', outside of its folder. Nothing was collected.",
        2,
        (),
    ),
    "a path out, inside a name": Download(
        f"a file `bo/{WEEK}/../../../evil.ipynb`",
        with_ann((f"bo/{WEEK}/../../../evil.ipynb", B)),
        "DOWNLOAD would write 'bo/week1_attention/../../../evil.ipynb', outside of its folder. Nothing was collected.",
        2,
        (),
    ),
    "an absolute path": Download(
        "a file `/etc/cron.d/evil`",
        with_ann(("/etc/cron.d/evil", B)),
        "DOWNLOAD would write '/etc/cron.d/evil', outside of its folder. Nothing was collected.",
        2,
        (),
    ),
    "a drive of Windows": Download(
        "a file `C:\\evil.ipynb`",
        with_ann(("C:\\evil.ipynb", B)),
        "DOWNLOAD would write 'C:/evil.ipynb', outside of its folder. Nothing was collected.",
        2,
        (),
    ),
    "a path out, as Windows writes it": Download(
        "a file `..\\..\\evil.ipynb`",
        with_ann(("..\\..\\evil.ipynb", B)),
        "DOWNLOAD would write '../../evil.ipynb', outside of its folder. Nothing was collected.",
        2,
        (),
    ),
    "a link": Download(
        "a symbolic link to `/etc/passwd`",
        with_ann((of_kind("bo/attention.ipynb", stat.S_IFLNK), b"/etc/passwd")),
        "DOWNLOAD holds a link, 'bo/attention.ipynb'. Nothing was collected.",
        2,
        (),
    ),
    "a link for a folder": Download(
        "a symbolic link `bo` to `/etc`, and a file `bo/passwd`",
        with_ann((of_kind("bo", stat.S_IFLNK), b"/etc"), ("bo/passwd", B)),
        "DOWNLOAD holds a link, 'bo'. Nothing was collected.",
        2,
        (),
    ),
    "a device": Download(
        "a file that says it is a character device",
        with_ann((of_kind("bo/zero", stat.S_IFCHR), b"")),
        "DOWNLOAD holds a device or a pipe, 'bo/zero'. Nothing was collected.",
        2,
        (),
    ),
    "a pipe": Download(
        "a file that says it is a pipe",
        with_ann((of_kind("bo/pipe", stat.S_IFIFO), b"")),
        "DOWNLOAD holds a device or a pipe, 'bo/pipe'. Nothing was collected.",
        2,
        (),
    ),
    # Too much.
    "a bomb": Download(
        "24 files of 90 MiB, all zeros: 2 MB in total",
        lambda: many_bombs(24, 90 * MIB),
        "DOWNLOAD has 2153 KiB and would unpack to 2160 MiB, 1027 times as much: no notebooks do that. Nothing was collected.",
        2,
        (),
    ),
    "a bomb of overlapping files": Download(
        "1,500 names that all lead to one file of 1 MiB",
        lambda: one_for_all([f"{WEEK}__bo.ipynb"] * 1500, bytes(MIB)),
        "DOWNLOAD has 105 KiB and would unpack to 1500 MiB, 14616 times as much: no notebooks do that. Nothing was collected.",
        2,
        (),
    ),
    "too many files": Download(
        "100,001 files of 0 bytes",
        lambda: listed_only(100_001),
        "DOWNLOAD holds 100,001 files; at most 100,000 are allowed. Nothing was collected.",
        2,
        (),
    ),
    "many files of one student": Download(
        "1,000 notebooks of bo's, each another",
        with_ann(*((f"bo_2_{number}_x.ipynb", notebook(str(number))) for number in range(1000))),
        "1000 notebooks: the last one counts, the others are in .earlier/",
        0,
        (
            "2",
            "ann",
        ),
    ),
    "a list of names without an end": Download(
        "a million files of 0 bytes",
        lambda: a_long_list(1_000_000),
        "DOWNLOAD lists far more than 100,000 files, the most that is allowed. Nothing was collected.",
        2,
        (),
    ),
    "21 GiB, it says": Download(
        "the list of names says that six small files have 3.75 GiB each",
        says_large,
        "DOWNLOAD would take 22 GiB; at most 20 GiB are allowed. Nothing was collected.",
        2,
        (),
    ),
    "too large a file": Download(
        "the list of names says 200 MiB of bo's",
        edited(put(24, (200 * MIB).to_bytes(4, "little"))),
        "week1_attention__bo.ipynb: it has 200 MiB; at most 100 MiB are allowed.",
        1,
    ),
    "more than it says": Download(
        "the list of names says 10 bytes of bo's, the file has 50 MiB",
        edited(put(24, (10).to_bytes(4, "little")), bytes(50 * MIB)),
        "week1_attention__bo.ipynb: it cannot be read from the download (Bad CRC-32 for file 'week1_attention__bo.ipynb').",
        1,
    ),
    # No archive, or half of one.
    "empty": Download(
        "0 bytes",
        lambda: ("submissions.zip", b""),
        "DOWNLOAD is not a .zip, a folder or a notebook. Unpack another kind of archive (.tar.gz, .7z, .rar) first, and give the folder. If it should be a .zip, it may be cut off: download it again.",
        2,
        (),
    ),
    "an archive of nothing": Download(
        "a .zip without any file",
        lambda: packed({}),
        "DOWNLOAD holds no file at all. Is it the right download?",
        2,
        (),
    ),
    "cut off": Download(
        "the first 60 % of a .zip",
        cut(0.6),
        "DOWNLOAD is not a .zip, a folder or a notebook. Unpack another kind of archive (.tar.gz, .7z, .rar) first, and give the folder. If it should be a .zip, it may be cut off: download it again.",
        2,
        (),
    ),
    "cut off in the list of names": Download(
        "the first 95 % of a .zip",
        cut(0.95),
        "DOWNLOAD is not a .zip, a folder or a notebook. Unpack another kind of archive (.tar.gz, .7z, .rar) first, and give the folder. If it should be a .zip, it may be cut off: download it again.",
        2,
        (),
    ),
    "one part of several": Download(
        "the last part of a .zip in three parts",
        in_parts,
        "week1_attention__ann.ipynb: it cannot be read from the download (a part of the archive is missing: download it again).\nweek1_attention__bo.ipynb: it cannot be read from the download (a part of the archive is missing: download it again).",
        1,
        (),
    ),
    "a list of names that is elsewhere": Download(
        "its end says another place for it",
        wrong_place,
        "week1_attention__ann.ipynb: it cannot be read from the download (a part of the archive is missing: download it again).\nweek1_attention__bo.ipynb: it cannot be read from the download (a part of the archive is missing: download it again).",
        1,
        (),
    ),
    "a .tar.gz": Download(
        "a .tar.gz",
        tar,
        "DOWNLOAD is not a .zip, a folder or a notebook. Unpack another kind of archive (.tar.gz, .7z, .rar) first, and give the folder. If it should be a .zip, it may be cut off: download it again.",
        2,
        (),
    ),
    "a .tar.gz that is called .zip": Download(
        "the same under another name",
        lambda: ("submissions.zip", tar()[1]),
        "DOWNLOAD is not a .zip, a folder or a notebook. Unpack another kind of archive (.tar.gz, .7z, .rar) first, and give the folder. If it should be a .zip, it may be cut off: download it again.",
        2,
        (),
    ),
    "a .rar that is called .zip": Download(
        "RAR's first bytes",
        lambda: ("submissions.zip", b"Rar!\x1a\x07\x01\x00" + bytes(500)),
        "DOWNLOAD is not a .zip, a folder or a notebook. Unpack another kind of archive (.tar.gz, .7z, .rar) first, and give the folder. If it should be a .zip, it may be cut off: download it again.",
        2,
        (),
    ),
    "a .7z that is called .zip": Download(
        "7-Zip's first bytes",
        lambda: ("submissions.zip", b"7z\xbc\xaf\x27\x1c\x00\x04" + bytes(500)),
        "DOWNLOAD is not a .zip, a folder or a notebook. Unpack another kind of archive (.tar.gz, .7z, .rar) first, and give the folder. If it should be a .zip, it may be cut off: download it again.",
        2,
        (),
    ),
    "Google Drive's quota": Download(
        "the page on which Google says that too many people asked, saved as .zip",
        lambda: ("submissions.zip", QUOTA),
        "DOWNLOAD is a web page, not an archive: perhaps you were not signed in, or too many people have asked for this file. Open the page in a browser to see what it says, and download again.",
        2,
        (),
    ),
    "a login page": Download(
        "the platform's login page, saved as .zip",
        lambda: ("submissions.zip", PAGE),
        "DOWNLOAD is a web page, not an archive: perhaps you were not signed in, or too many people have asked for this file. Open the page in a browser to see what it says, and download again.",
        2,
        (),
    ),
    "something before it": Download(
        "1 MiB in front of the .zip, as in a program that unpacks itself",
        lambda: ("submissions.zip", bytes(MIB) + packed({ANN: A, BO: B})[1]),
        "",
        0,
        (
            "ann",
            "bo",
        ),
    ),
    # One file of several.
    "an encrypted file": Download(
        "bo's file is encrypted", edited(put(8, b"\1")), "week1_attention__bo.ipynb: it is encrypted.", 1
    ),
    "a wrong checksum": Download(
        "the checksum of bo's file is wrong",
        edited(put(16, b"\0\1\2\3")),
        "week1_attention__bo.ipynb: it cannot be read from the download (Bad CRC-32 for file 'week1_attention__bo.ipynb').",
        1,
    ),
    "a damaged file": Download(
        "eight bytes of bo's file are 255",
        edited(put(30 + len(BO), b"\xff" * 8, local=True), B * 50),
        "week1_attention__bo.ipynb: it cannot be read from the download (Error -3 while decompressing data: invalid block type).",
        1,
    ),
    "an unknown compression": Download(
        "method 99",
        edited(put(10, b"\x63\0")),
        "week1_attention__bo.ipynb: it cannot be read from the download (That compression method is not supported).",
        1,
    ),
    "two names for one file": Download(
        "the list of names says that the file is bo's, the file itself says that it is cy's",
        edited(put(30 + len(WEEK) + 2, b"cy", local=True)),
        "week1_attention__bo.ipynb: it cannot be read from the download (File name in directory 'week1_attention__bo.ipynb' and header b'week1_attention__cy.ipynb' differ.).",
        1,
    ),
    "a file that begins after the end": Download(
        "the list of names gives a place where there is nothing",
        edited(put(42, b"\0\0\xff\0")),
        "week1_attention__bo.ipynb: it cannot be read from the download (Truncated file header).",
        1,
    ),
    # Names.
    "no name": Download(
        "files called `.` and `/`",
        with_ann((".", B), ("./.", B)),
        ".: it has no name.\n./.: it has no name.",
        1,
    ),
    "a name that steers a terminal": Download(
        "`\\x1b[2J` in a name",
        with_ann((f"{WEEK}__bo\x1b[2J.ipynb", B)),
        "",
        0,
        (
            "ann",
            "bo-2J",
        ),
    ),
    "a very long name": Download(
        "180 Chinese letters, 540 bytes",
        with_ann((f"{'李' * 180}_7_assignsubmission_file/{NAME}", B)),
        "",
        0,
        ("ann", "李" * 66),
    ),
    "a very long name of a file": Download(
        "data with 180 Chinese letters",
        with_ann((f"bo_7_assignsubmission_file/{'李' * 180}.csv", b"1,2")),
        "no notebook among the files",
        0,
        (
            "ann",
            "bo",
        ),
    ),
    "names of Windows": Download(
        "folders `CON` and `NUL`, names that Windows keeps for itself",
        with_ann((f"{WEEK}__CON.ipynb", B), (f"{WEEK}__NUL.ipynb", C)),
        "",
        0,
        (
            "CON",
            "NUL",
            "ann",
        ),
    ),
    "upper and lower case": Download(
        f"`{WEEK}__bo.ipynb` and `{WEEK}__BO.ipynb`",
        with_ann((BO, B), (f"{WEEK}__BO.ipynb", C)),
        "2 notebooks: the last one counts, the others are in .earlier/",
        0,
        (
            "ann",
            "bo",
        ),
    ),
    "composed and decomposed letters": Download(
        "`José` with é as one character and as two",
        with_ann((f"{WEEK}__Jos\u00e9.ipynb", B), (f"{WEEK}__Jose\u0301.ipynb", C)),
        "2 notebooks: the last one counts, the others are in .earlier/",
        0,
        (
            "José",
            "ann",
        ),
    ),
    "one name twice": Download(
        "two files with the very same name",
        with_ann((BO, B), (BO, C)),
        "2 notebooks: the last one counts, the others are in .earlier/",
        0,
        (
            "ann",
            "bo",
        ),
    ),
    "UTF-8 that is not marked as UTF-8": Download(
        "as Info-ZIP and macOS write it",
        raw_name(f"{WEEK}__José.ipynb".encode()),
        "",
        0,
        (
            "José",
            "ann",
        ),
    ),
    "letters of another encoding": Download(
        "`山田` in Shift-JIS, as an old Windows in Japan writes it",
        raw_name(f"{WEEK}__山田.ipynb".encode("shift_jis")),
        "",
        0,
        (
            "ann",
            "ÄRôc",
        ),
    ),
    # What is no notebook.
    "a notebook of 0 bytes": Download(
        "bo's file is empty",
        with_ann((BO, b"")),
        "the file is empty",
        0,
        (
            "ann",
            "bo",
        ),
    ),
    "a notebook that is a web page": Download(
        "bo saved the login page as .ipynb",
        with_ann((BO, PAGE)),
        "it is a web page, not a notebook",
        0,
        (
            "ann",
            "bo",
        ),
    ),
    "a notebook that is a folder": Download(
        "`bo/attention.ipynb/` with a file in it",
        lambda: packed({f"ann/{NAME}": A, f"bo/{NAME}/x.txt": b"x"}),
        "no notebook among the files",
        0,
        (
            "ann",
            "bo",
        ),
    ),
    "a folder with bytes": Download(
        "an entry `bo/` that holds a notebook",
        with_ann((f"{BO}/", B)),
        "week1_attention__bo.ipynb/: its name is that of a folder, but it has contents.",
        1,
    ),
    "a notebook called .ipynb.txt": Download(
        "as a browser or a text editor saves it",
        with_ann((f"{BO}.txt", B)),
        "no notebook among the files",
        0,
        (
            "ann",
            "bo",
        ),
    ),
    "what macOS and Jupyter leave": Download(
        "`__MACOSX/._...`, `._...`, `.DS_Store`, `.ipynb_checkpoints/...`",
        with_ann(
            (f"__MACOSX/._{ANN}", b"\0\5\x16\7"),
            (f"._{ANN}", b"\0\5\x16\7"),
            (".DS_Store", b"\0"),
            (f".ipynb_checkpoints/{WEEK}__ann-checkpoint.ipynb", B),
        ),
        "",
        0,
    ),
    "an archive in an archive in an archive": Download(
        "bo handed in a .zip in a .zip in a .zip",
        with_ann((f"{WEEK}__bo.zip", nested(3))),
        "no notebook among the files",
        0,
        (
            "ann",
            "bo",
        ),
    ),
    "a thousand nested archives": Download(
        "bo handed in a .zip in a .zip, a thousand deep",
        with_ann((f"{WEEK}__bo.zip", nested(1000))),
        "no notebook among the files",
        0,
        (
            "ann",
            "bo",
        ),
    ),
    "the download packed once more": Download(
        "a .zip with nothing in it but the platform's .zip",
        lambda: packed({"submissions.zip": packed({ANN: A})[1]}),
        "DOWNLOAD holds nothing but another archive, 'submissions.zip'. Unpack it once, and give that archive.",
        2,
        (),
    ),
    # What the platforms name.
    "Gradescope without its list": Download(
        "`submission_1001/attention.ipynb`, and no submission_metadata.yml",
        lambda: packed(
            {f"assignment_5_export/submission_{n}/{NAME}": data for n, data in ((1001, B), (1002, C))}
        ),
        "assignment_5_export/submission_1001/attention.ipynb: submission_metadata.yml, which says who submission_1001 is, is missing or cannot be read.\nassignment_5_export/submission_1002/attention.ipynb: submission_metadata.yml, which says who submission_1002 is, is missing or cannot be read.",
        1,
        (),
    ),
    "Gradescope's list, cut off": Download(
        "half of the YAML",
        lambda: packed(
            {
                "assignment_5_export/submission_metadata.yml": b"---\nsubmission_1001:\n  :submitters: [{:sid: '3",
                f"assignment_5_export/submission_1001/{NAME}": B,
                f"assignment_5_export/submission_1002/{NAME}": C,
            }
        ),
        "assignment_5_export/submission_1001/attention.ipynb: submission_metadata.yml, which says who submission_1001 is, is missing or cannot be read.\nassignment_5_export/submission_1002/attention.ipynb: submission_metadata.yml, which says who submission_1002 is, is missing or cannot be read.",
        1,
        (),
    ),
    "Gradescope's list, made to unfold": Download(
        "a billion names in 700 bytes of YAML",
        lambda: packed({"submission_metadata.yml": laughs(), f"submission_1/{NAME}": B}),
        "submission_1/attention.ipynb: submission_metadata.yml names nobody for submission_1.",
        1,
        (),
    ),
    "Canvas' name, cut short": Download(
        "`bo_102_attention.ipynb`: one of the two numbers is missing",
        lambda: packed({f"ann_101_9001_{NAME}": A, f"bo_102_{NAME}": B}),
        "bo_102_attention.ipynb: it is not named as the others are.",
        1,
        ("101",),
    ),
    "Moodle's folder, named anew": Download(
        "somebody called `Bo_7002_assignsubmission_file` only `Bo`",
        lambda: packed({f"ann_7001_assignsubmission_file/{NAME}": A, f"Bo/{NAME}": B}),
        "",
        0,
        (
            "Bo",
            "ann",
        ),
    ),
    "another week": Download(
        "a notebook of another week",
        with_ann(("week2_multi_head__bo.ipynb", B)),
        "week2_multi_head__bo.ipynb: it belongs to week2_multi_head. Collect it with: course collect week2_multi_head.",
        1,
    ),
    "nobody's": Download(
        "a file called `attention.ipynb`",
        with_ann((NAME, B)),
        "attention.ipynb: neither its name nor its folder says whose it is.",
        1,
    ),
}
