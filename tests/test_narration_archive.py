"""The narration's archive: packed, downloaded by gdown, verified, put in place; and all that a mirror may do wrong."""

import dataclasses
import io
import re
import shutil
import zipfile

import numpy as np
import pytest
import soundfile
from command import course_here
from mirror_server import PAGE, QUOTA, Drive, Mirrors, gives, says_nothing, stalls
from own_environment import make_environment
from quick import first
from small_course import files_in
from spoken_course import SCRIPTS, WEEK, configure, make_spoken_course

from coursekit import drive
from coursekit.authoring.lesson.narration import check_audio
from coursekit.authoring.narration.archive import fetch, pack
from coursekit.authoring.narration.manifest import NAME, digest, read_manifest, write_manifest
from coursekit.authoring.narration.narrate import narrate
from coursekit.authoring.narration.settings import Archive
from coursekit.course.config import open_course
from coursekit.engine.shared.errors import CourseError

FILES = {f"{WEEK}/{name}{kind}" for name in SCRIPTS for kind in (".mp3", ".vtt")} | {NAME}
COLABS = "5.2.2"  # gdown; the course's own is in requirements.txt
DRIVE_ID = "1AbCdEfGhIjKlMnOpQrStUvWxYz0123456"


@pytest.fixture(scope="module")
def spoken(tmp_path_factory):
    course = make_spoken_course(tmp_path_factory.mktemp("spoken"))
    assert not narrate(course, list(course.weeks)).failed
    return course


@pytest.fixture(scope="module")
def packed(spoken, tmp_path_factory):
    """(bytes of the archive, its sha256)."""
    path = tmp_path_factory.mktemp("packed") / "narration.zip"
    made = pack(spoken.root / "narration", path)
    data = path.read_bytes()
    assert (made.segments, made.bytes, made.sha256) == (2, len(data), digest(data))
    with zipfile.ZipFile(path) as archive:
        assert set(archive.namelist()) == FILES and archive.testzip() is None
    again = pack(spoken.root / "narration", path.with_name("again.zip"))
    assert again.sha256 == made.sha256, "equal audio gives an equal archive"
    return data, made.sha256


@pytest.fixture
def folder(spoken, tmp_path):
    """A narration folder as git without the audio has it: scripts and lexicon."""
    target = tmp_path / "narration"
    shutil.copytree(spoken.root / "narration", target, ignore=shutil.ignore_patterns("*.mp3", "*.vtt", NAME))
    return target


@pytest.fixture(autouse=True)
def impatient(monkeypatch):
    monkeypatch.setattr(drive, "PATIENCE", 3)


@pytest.fixture(scope="module")
def colabs_python(tmp_path_factory):
    """An interpreter with the gdown that Colab has."""
    return make_environment(tmp_path_factory.mktemp("old"), f"gdown=={COLABS}", beside=False)


@pytest.fixture
def colabs_gdown(colabs_python, monkeypatch):
    monkeypatch.setattr(drive, "PYTHON", colabs_python)


def in_place(folder):
    """{path: bytes} of all but the scripts and the lexicon."""
    return {name: data for name, data in files_in(folder).items() if not name.endswith((".md", ".toml"))}


def edited(data, change):
    """The archive with a file's bytes changed: a mirror whose owner packed something else."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(made, "w") as new:
        for name in old.namelist():
            if (content := change(name, old.read(name))) is not None:
                new.writestr(name, content)
    return made.getvalue()


# {what a mirror does: (its answer, what is reported)}
FAILURES = {
    "quota page": (lambda data: gives(QUOTA, "text/html"), "has had too many downloads today"),
    "web page": (lambda data: gives(PAGE, "text/html"), "gave a web page instead of the archive"),
    "not found": (lambda data: gives(PAGE, "text/html", 404), "gave a web page|404"),
    "cut off": (lambda data: gives(data[:9000], promised=len(data)), "ncomplete|broken|bytes"),
    "broken archive": (lambda data: gives(data[:9000]), "gave another archive: its sha256 is"),
    "another archive": (lambda data: gives(edited(data, lambda _, was: was + b"x")), "gave another archive"),
    "no archive": (lambda data: gives(b"\0" * 500), "gave 500 bytes that are no zip archive"),
    "nothing": (lambda data: gives(b""), "gave 0 bytes|gave no file|gave nothing"),
    "says nothing": (lambda data: says_nothing, "sent nothing for 3 s"),
    "stalls": (stalls, "sent nothing for 3 s"),
}


def check_next_mirror_is_tried(failure, packed, folder):
    data, sha256 = packed
    answer, sentence = FAILURES[failure]
    reported = []
    with Mirrors({"/bad.zip": answer(data), "/good.zip": gives(data)}) as server:
        mirrors = (server.address("/bad.zip"), server.address("/good.zip"))
        got = fetch(Archive(sha256, mirrors), folder, reported.append)
        assert server.asked.count("/good.zip") == 1
    assert got.mirror == mirrors[1] and got.segments == 2
    assert len(reported) == 1 and re.search(f"bad.zip .*({sentence})", reported[0]), reported
    assert set(in_place(folder)) == FILES


@pytest.mark.parametrize("failure", first(3, FAILURES))
def test_the_next_mirror_is_tried(failure, packed, folder):
    check_next_mirror_is_tried(failure, packed, folder)


@pytest.mark.slow
@pytest.mark.parametrize("failure", FAILURES)
def test_the_next_mirror_is_tried_with_colabs_gdown(failure, packed, folder, colabs_gdown):
    check_next_mirror_is_tried(failure, packed, folder)


def check_drive_id(packed, folder, tmp_path, monkeypatch):
    """Drive gives the file; and on a day when it shows its quota page, the next mirror is tried."""
    data, sha256 = packed
    file = gives(data, Content_Disposition='attachment; filename="narration.zip"')
    for answer, begin in ((file, "drive:"), (gives(QUOTA, "text/html; charset=utf-8"), "http://")):
        shutil.rmtree(folder)
        reported = []
        with Drive(answer, tmp_path) as server, Mirrors({"/good.zip": gives(data)}) as other:
            for name, value in server.environment.items():
                monkeypatch.setenv(name, value)
            mirrors = (f"drive:{DRIVE_ID}", other.address("/good.zip"))
            got = fetch(Archive(sha256, mirrors), folder, reported.append)
            assert server.asked and all(DRIVE_ID in path for path in server.asked)
        assert got.mirror.startswith(begin) and set(in_place(folder)) == FILES
        assert ["too many downloads today" in line for line in reported] == [True] * (answer is not file)


def test_a_drive_id(packed, folder, tmp_path, monkeypatch):
    check_drive_id(packed, folder, tmp_path, monkeypatch)


@pytest.mark.slow
def test_a_drive_id_with_colabs_gdown(packed, folder, tmp_path, monkeypatch, colabs_gdown):
    check_drive_id(packed, folder, tmp_path, monkeypatch)


def test_what_is_fetched_is_what_was_made(packed, spoken, folder):
    """Byte for byte; other files stay; a second run asks nobody; a spoilt file is downloaded again."""
    data, sha256 = packed
    (folder / "notes.txt").write_text("mine")
    with Mirrors({"/a.zip": gives(data)}) as server:
        archive = Archive(sha256, (server.address("/a.zip"),))
        fetch(archive, folder)
        assert in_place(folder) == in_place(spoken.root / "narration") | {"notes.txt": b"mine"}
        assert fetch(archive, folder).mirror == "" and len(server.asked) == 1
        (folder / f"{WEEK}/01_first.mp3").write_bytes(b"")
        fetch(archive, folder)
        assert len(server.asked) == 2 and in_place(folder)[f"{WEEK}/01_first.mp3"]


def test_own_recordings_are_not_replaced(packed, spoken, folder):
    """A mirror's audio comes beside them; newer audio of a mirror replaces what is synthetic."""
    data, sha256 = packed
    name = f"{WEEK}/01_first"
    entries = read_manifest(spoken.root / "narration")
    soundfile.write(folder / f"{name}.mp3", np.sin(np.arange(48_000) / 9) / 9, 24_000)
    own = (folder / f"{name}.mp3").read_bytes()
    mine = dataclasses.replace(entries[name], synthetic=False, audio_sha256=digest(own))
    write_manifest(folder, {name: mine})
    with Mirrors({"/a.zip": gives(data)}) as server:
        fetch(Archive(sha256, (server.address("/a.zip"),)), folder)
    assert in_place(folder)[f"{name}.mp3"] == own
    assert read_manifest(folder) == entries | {name: mine}


@pytest.mark.parametrize(
    "change, sentence",
    [
        (lambda name, was: was + b"x" if ".mp3" in name else was, "files are not those of its manifest"),
        (lambda name, was: None if name.endswith("first.vtt") else was, "damaged archive"),
        (lambda name, was: None if name == NAME else was, "damaged archive"),
        (lambda name, was: was.replace(b"week1_attention/01", b"../../outside/01"), "damaged.*no segment"),
    ],
)
def test_a_wrong_archive_with_the_right_hash(packed, folder, tmp_path, change, sentence):
    """Even then every file is verified, nothing is written outside, and nothing in place is touched."""
    data = edited(packed[0], change)
    with (
        Mirrors({"/a.zip": gives(data)}) as server,
        pytest.raises(CourseError, match=f"No mirror gave the narration's audio: .*{sentence}"),
    ):
        fetch(Archive(digest(data), (server.address("/a.zip"),)), folder)
    assert in_place(folder) == {} and not list(tmp_path.rglob("outside"))


def test_no_mirror_at_all(packed, folder):
    with pytest.raises(CourseError, match="names no mirror"):
        fetch(Archive(), folder)
    nobody = Archive(packed[1], ("http://127.0.0.1:9/a.zip", "http://127.0.0.1:9/b.zip"))
    with pytest.raises(CourseError, match="No mirror gave .*a.zip .*refused.*; .*b.zip .*refused"):
        fetch(nobody, folder)
    assert in_place(folder) == {}


def test_check_finds_an_archive_of_other_audio(packed, spoken, tmp_path):
    shutil.copytree(spoken.root, tmp_path / "course")
    for sha256, engines, problem in (
        (packed[1], ["command"], ""),
        ("0" * 64, ["command"], "has other audio than narration/: run `course narrate --pack FILE`"),
        (packed[1], [], "engines must be a list of names"),
    ):
        settings = {"sha256": sha256, "engines": engines, "mirrors": ["https://example.org/a.zip"]}
        course = configure(tmp_path / "course", **settings)
        found = list(check_audio(course, course.weeks[0]))
        assert problem in "".join(found) and bool(found) == bool(problem)


def test_packing_wants_whole_audio(spoken, tmp_path):
    folder = tmp_path / "narration"
    shutil.copytree(spoken.root / "narration", folder)
    (folder / f"{WEEK}/01_first.mp3").write_bytes(b"other")
    with pytest.raises(CourseError, match="not agree with the manifest.*01_first.mp3"):
        pack(folder, tmp_path / "a.zip")
    (folder / NAME).unlink()
    with pytest.raises(CourseError, match="has no audio yet"):
        pack(folder, tmp_path / "a.zip")
    assert not (tmp_path / "a.zip").exists()


@pytest.mark.slow
def test_the_command(packed, spoken, folder, tmp_path):
    """`course narrate --pack` and `--fetch`, with course.toml's mirrors."""
    done = course_here(spoken.root, "narrate", "--pack", str(tmp_path / "a.zip"))
    assert done.returncode == 0 and f'sha256 = "{packed[1]}"' in done.stdout, done
    with Mirrors({"/a.zip": gives(packed[0])}) as server:
        mirrors = [server.address("/none.zip"), server.address("/a.zip")]
        configure(tmp_path, sha256=packed[1], mirrors=mirrors)
        done = course_here(tmp_path, "narrate", "--fetch")
        assert done.returncode == 0 and "2 segments from" in done.stdout and "none.zip" in done.stderr, done
        course = open_course(tmp_path)
        assert list(check_audio(course, course.weeks[0])) == []
    assert course_here(tmp_path, "narrate", "--fetch", "--pack", "b.zip").returncode == 2
