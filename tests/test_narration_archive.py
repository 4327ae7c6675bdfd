"""The narration's archive: packed, fetched by gdown, proved, put in place; and every bad day a mirror may have."""

import dataclasses
import io
import re
import shutil
import subprocess
import sys
import zipfile

import numpy as np
import pytest
import soundfile
from mirror_server import PAGE, QUOTA, Drive, Mirrors, gives, says_nothing, stalls
from own_environment import make_environment
from quick import first
from spoken_course import SCRIPTS, WEEK, configure, make_spoken_course

from coursekit.authoring.lesson.audio import check_audio
from coursekit.authoring.narration.archive import fetch, pack
from coursekit.authoring.narration.manifest import NAME, digest, read_manifest, write_manifest
from coursekit.authoring.narration.settings import Archive
from coursekit.authoring.narration.station import narrate
from coursekit.course.config import open_course
from coursekit.engine.shared.errors import CourseError

FILES = {f"{WEEK}/{name}{kind}" for name in SCRIPTS for kind in (".mp3", ".vtt")} | {NAME}
OLD = "5.2.2"  # what Colab has; the course's own is in requirements.txt


@pytest.fixture(scope="module")
def spoken(tmp_path_factory):
    root = tmp_path_factory.mktemp("spoken")
    course = make_spoken_course(root)
    assert not narrate(course, list(course.weeks)).failed
    return course


@pytest.fixture(scope="module")
def packed(spoken, tmp_path_factory):
    """(bytes of the archive, its sha256)."""
    path = tmp_path_factory.mktemp("packed") / "narration.zip"
    made = pack(spoken.root / "narration", path)
    data = path.read_bytes()
    assert (made.segments, made.bytes, made.sha256) == (2, len(data), digest(data))
    return data, made.sha256


@pytest.fixture
def folder(spoken, tmp_path):
    """A narration folder as git without the audio has it: scripts and lexicon, one file spoilt."""
    target = tmp_path / "narration"
    shutil.copytree(spoken.root / "narration", target, ignore=shutil.ignore_patterns("*.mp3", "*.vtt", NAME))
    return target


def here(folder):
    """{path: bytes} of all but the scripts and the lexicon."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file() and path.suffix not in (".md", ".toml")
    }


def other_archive(data, change):
    """The archive with a file's bytes changed, and its new hash: a mirror whose owner packed something else."""
    made = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(made, "w") as new:
        for name in old.namelist():
            if (content := change(name, old.read(name))) is not None:
                new.writestr(name, content)
    return made.getvalue()


BAD_DAYS = {
    "quota page": (lambda data: gives(QUOTA, "text/html"), "has had too many downloads today"),
    "web page": (lambda data: gives(PAGE, "text/html"), "gave a web page instead of the archive"),
    "not found": (lambda data: gives(PAGE, "text/html", 404), "gave a web page|404"),
    "cut off": (lambda data: gives(data[:9000], promised=len(data)), "ncomplete|broken|bytes"),
    "broken archive": (lambda data: gives(data[:9000]), "gave another archive: its sha256 is"),
    "another archive": (lambda data: gives(other_archive(data, lambda _, was: was + b"x")), "gave another archive"),
    "no archive": (lambda data: gives(b"\0" * 500), "gave 500 bytes that are no zip archive"),
    "nothing": (lambda data: gives(b""), "gave 0 bytes|gave no file|gave nothing"),
    "says nothing": (lambda data: says_nothing, "sent nothing for 3 s"),
    "stalls": (stalls, "sent nothing for 3 s"),
}  # fmt: skip


def passes_over(day, packed, folder, python=sys.executable):
    """The first mirror has its bad day, the second one serves."""
    data, sha256 = packed
    answer, sentence = BAD_DAYS[day]
    said = []
    with Mirrors({"/bad.zip": answer(data), "/good.zip": gives(data)}) as server:
        mirrors = (server.address("/bad.zip"), server.address("/good.zip"))
        got = fetch(Archive(sha256, mirrors), folder, patience=3, python=python, tell=[said.append])
        assert [path for path in server.asked if path == "/good.zip"] == ["/good.zip"]
    assert got.mirror == mirrors[1] and got.segments == 2
    assert len(said) == 1 and re.search(f"bad.zip .*({sentence})", said[0]), said
    assert set(here(folder)) == FILES


@pytest.mark.parametrize("day", first(3, BAD_DAYS))
def test_the_next_mirror_is_tried(day, packed, folder):
    passes_over(day, packed, folder)


@pytest.mark.slow
@pytest.mark.parametrize("day", BAD_DAYS)
def test_the_next_mirror_is_tried_with_colabs_gdown(day, packed, folder, old_gdown):
    passes_over(day, packed, folder, old_gdown)


@pytest.fixture(scope="module")
def old_gdown(tmp_path_factory):
    """An interpreter with the gdown that Colab has."""
    return make_environment(tmp_path_factory.mktemp("old"), f"gdown=={OLD}", beside=False)


def from_drive(answer, packed, folder, tmp_path, monkeypatch, python=sys.executable):
    data, sha256 = packed
    said = []
    with Drive(answer, tmp_path) as drive, Mirrors({"/good.zip": gives(data)}) as server:
        for name, value in drive.environment.items():
            monkeypatch.setenv(name, value)
        mirrors = ("drive:1AbCdEfGhIjKlMnOpQrStUvWxYz0123456", server.address("/good.zip"))
        got = fetch(Archive(sha256, mirrors), folder, patience=10, python=python, tell=[said.append])
        assert drive.asked and all("1AbCdEfGhIjKlMnOpQrStUvWxYz0123456" in path for path in drive.asked)
    assert set(here(folder)) == FILES
    return got.mirror, said


def drive_answers(data):
    """As Drive gives a file, and its quota page."""
    name = {"Content_Disposition": 'attachment; filename="narration.zip"'}
    return gives(data, **name), gives(QUOTA, "text/html; charset=utf-8")


def test_a_drive_id(packed, folder, tmp_path, monkeypatch):
    file, quota = drive_answers(packed[0])
    mirror, said = from_drive(file, packed, folder, tmp_path, monkeypatch)
    assert (mirror[:6], said) == ("drive:", [])
    shutil.rmtree(folder)
    mirror, said = from_drive(quota, packed, folder, tmp_path, monkeypatch)
    assert mirror.startswith("http://") and "has had too many downloads today" in said[0]


@pytest.mark.slow
def test_a_drive_id_with_colabs_gdown(packed, folder, tmp_path, monkeypatch, old_gdown):
    file, quota = drive_answers(packed[0])
    mirror, said = from_drive(file, packed, folder, tmp_path, monkeypatch, old_gdown)
    assert (mirror[:6], said) == ("drive:", [])
    shutil.rmtree(folder)
    mirror, said = from_drive(quota, packed, folder, tmp_path, monkeypatch, old_gdown)
    assert mirror.startswith("http://") and "has had too many downloads today" in said[0]


def test_what_is_fetched_is_what_was_made(packed, spoken, folder):
    """Byte for byte; scripts and lexicon stay; a second run asks nobody; a spoilt file is fetched again."""
    data, sha256 = packed
    (folder / "notes.txt").write_text("mine")
    with Mirrors({"/a.zip": gives(data)}) as server:
        archive = Archive(sha256, (server.address("/a.zip"),))
        fetch(archive, folder)
        assert {name: here(folder)[name] for name in FILES} == here(spoken.root / "narration")
        assert (folder / "notes.txt").read_text() == "mine" and not list(folder.glob(".fetched*"))
        assert fetch(archive, folder).mirror == "" and len(server.asked) == 1
        (folder / f"{WEEK}/01_first.mp3").write_bytes(b"")
        fetch(archive, folder)
        assert len(server.asked) == 2 and here(folder)[f"{WEEK}/01_first.mp3"]


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
    assert here(folder)[f"{name}.mp3"] == own
    assert read_manifest(folder) == entries | {name: mine}


def test_equal_audio_gives_an_equal_archive(packed, spoken, tmp_path):
    assert pack(spoken.root / "narration", tmp_path / "again.zip").sha256 == packed[1]
    with zipfile.ZipFile(tmp_path / "again.zip") as archive:
        assert set(archive.namelist()) == FILES and archive.testzip() is None


@pytest.mark.parametrize(
    "change, sentence",
    [
        (
            lambda name, was: was + b"x" if name.endswith(".mp3") else was,
            "files are not those of its manifest",
        ),
        (lambda name, was: None if name.endswith("first.vtt") else was, "damaged archive"),
        (lambda name, was: None if name == NAME else was, "damaged archive"),
        (
            lambda name, was: was.replace(b"week1_attention/01", b"../../outside/01"),
            "damaged archive.*no segment",
        ),
    ],
)
def test_a_wrong_archive_with_the_right_hash(packed, folder, tmp_path, change, sentence):
    """Even then every file is proved, nothing is written outside, and nothing in place is touched."""
    data = other_archive(packed[0], change)
    before = here(folder)
    with (
        Mirrors({"/a.zip": gives(data)}) as server,
        pytest.raises(CourseError, match=f"No mirror gave the narration's audio: .*{sentence}"),
    ):
        fetch(Archive(digest(data), (server.address("/a.zip"),)), folder)
    assert here(folder) == before == {} and not list(tmp_path.rglob("outside"))


def test_no_mirror_at_all(packed, folder):
    with pytest.raises(CourseError, match="names no mirror"):
        fetch(Archive(), folder)
    nobody = Archive(packed[1], ("http://127.0.0.1:9/a.zip", "http://127.0.0.1:9/b.zip"))
    with pytest.raises(CourseError, match="No mirror gave .*a.zip .*refused.*; .*b.zip .*refused"):
        fetch(nobody, folder, patience=10)
    assert here(folder) == {}


def test_check_finds_an_archive_of_other_audio(packed, spoken, tmp_path):
    shutil.copytree(spoken.root, tmp_path / "course")
    mirrors = ["https://example.org/a.zip"]
    course = configure(tmp_path / "course", sha256=packed[1], mirrors=mirrors)
    assert check_audio(course, course.weeks[0]) == []
    course = configure(tmp_path / "course", sha256="0" * 64, mirrors=mirrors)
    assert (
        "has other audio than narration/: run `course narrate --pack FILE`"
        in check_audio(course, course.weeks[0])[0]
    )
    course = configure(tmp_path / "course", engines=[])
    assert "engines must be a list of names" in check_audio(course, course.weeks[0])[0]


def test_packing_wants_whole_audio(spoken, tmp_path):
    shutil.copytree(spoken.root, tmp_path / "course")
    folder = tmp_path / "course" / "narration"
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

    def course_narrate(root, *options):
        program = [sys.executable, "-m", "coursekit.cli", "narrate", *options]
        return subprocess.run(program, cwd=root, capture_output=True, text=True)

    done = course_narrate(spoken.root, "--pack", str(tmp_path / "a.zip"))
    assert done.returncode == 0 and f'sha256 = "{packed[1]}"' in done.stdout, done
    shutil.copy(spoken.root / "tone.py", tmp_path)
    with Mirrors({"/a.zip": gives(packed[0])}) as server:
        mirrors = [server.address("/none.zip"), server.address("/a.zip")]
        configure(tmp_path, sha256=packed[1], mirrors=mirrors)
        done = course_narrate(tmp_path, "--fetch")
        assert done.returncode == 0 and "2 segments from" in done.stdout and "none.zip" in done.stderr, done
        assert check_audio(open_course(tmp_path), open_course(tmp_path).weeks[0]) == []
    assert course_narrate(tmp_path, "--fetch", "--pack", "b.zip").returncode == 2
