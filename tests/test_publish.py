"""`course publish`: what students get, the way there, and that no solution goes along, however it is dressed up."""

import base64
import bz2
import gzip
import io
import json
import lzma
import re
import shutil
import subprocess
import tarfile
import urllib.parse
import zipfile
from pathlib import Path

import pytest
from pages import World, run_page
from quick import first
from small_course import MODEL, make_course
from spoken_course import SCRIPTS, make_spoken_course

from coursekit.authoring import release
from coursekit.authoring.narration.manifest import digest, read_manifest, write_manifest
from coursekit.authoring.narration.narrate import narrate
from coursekit.authoring.publish.fingerprint import fingerprints
from coursekit.authoring.publish.leaks import Secrets
from coursekit.authoring.publish.publish import LIST, contents, publish
from coursekit.course.config import open_course
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import SOLUTION_CELL
from coursekit.engine.shared.master import secrets as hidden_from_students

ROOT = Path(__file__).parent.parent
COURSE = open_course(ROOT)
LINE = "scores = Q @ K.transpose(-2, -1) / math.sqrt(K.shape[-1])"
PLACE = "week1_attention/attention.ipynb"


@pytest.fixture(scope="module")
def secrets():
    return Secrets(COURSE)


@pytest.fixture(scope="module")
def page():
    """A released notebook, as JSON."""
    return json.loads(COURSE.release(COURSE.weeks[0]).read_bytes())


def in_cell(text, kind="markdown"):
    def plant(notebook):
        notebook["cells"].insert(3, {"cell_type": kind, "id": "planted", "metadata": {}, "source": text})
        return json.dumps(notebook).encode()

    return plant


def in_file(data):
    return lambda _: data


def in_output(notebook):
    cell = next(cell for cell in notebook["cells"] if cell["cell_type"] == "code")
    cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": ["1\n", LINE + "\n"]}]
    return json.dumps(notebook).encode()


def in_metadata(notebook):
    notebook["cells"][5]["metadata"]["hint"] = LINE
    return json.dumps(notebook).encode()


def zipped(member=LINE):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("holiday.txt", member)
    return data.getvalue()


DISGUISES = {
    "as it is": in_cell(LINE),
    "other spaces": in_cell("scores=Q@K . transpose( - 2,-1 )   /math.sqrt( K.shape[ -1 ] )", "code"),
    "other names": in_cell("a = mine @ yours.transpose(-2, -1) / math.sqrt(yours.shape[-1])", "code"),
    "returned": in_cell(f"def f(Q, K):\n    return {LINE.partition('= ')[2]}", "code"),
    "in a comment": in_cell(f"x = 1\n# remember: \n#   {LINE}\n", "code"),
    "with a comment": in_cell(LINE + "  # and that is all", "code"),
    "broken over lines": in_cell(
        "scores = (Q\n    @ K.transpose(-2,\n    -1)\n  / math.sqrt(K.shape[-1]))", "code"
    ),
    "behind a semicolon": in_cell(f"x = 3; {LINE}; y = 4", "code"),
    "in a string": in_cell(f"hint = '''\n{LINE}\n'''", "code"),
    "in prose, as a list": in_cell(f"The idea:\n\n1. `{LINE}`\n"),
    "in a fence": in_cell(f"So:\n\n```python\n{LINE}\n```\n\nand that is it."),
    "an output": in_output,
    "metadata": in_metadata,
    "UTF-16": in_file(LINE.encode("utf-16")),
    "gzip": in_file(gzip.compress(LINE.encode())),
    "zip": in_file(zipped()),
    "base64": in_cell(base64.b64encode(LINE.encode()).decode()),
    "base64 of gzip": in_cell(
        "key = '" + base64.b64encode(gzip.compress(LINE.encode())).decode() + "'", "code"
    ),
    "hexadecimal": in_cell(LINE.encode().hex()),
    "escapes": in_cell("".join(f"\\u{ord(letter):04x}" for letter in LINE)),
    "HTML": in_cell("".join(f"&#{ord(letter)};" for letter in LINE)),
    "a web address": in_cell("https://example.org/?q=" + urllib.parse.quote(f"\n{LINE}\n")),
    "wide letters": in_cell("".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in LINE)),
}


@pytest.mark.parametrize("disguise", first(4, DISGUISES))
def test_a_planted_line_is_found(secrets, page, disguise):
    data = DISGUISES[disguise](json.loads(json.dumps(page)))
    found = secrets.find(PLACE, data)
    assert any("a solution, week1_attention's attention" in sentence for sentence in found), found


def test_other_quotes_and_a_hidden_test_are_found(secrets):
    """Whatever has a text in it: of a hidden test and of a bank's answer."""
    answer = "df = {'a': softmax(x, axis=0)}\nassert np.allclose(y, x - 3, atol=1e-3), 'rows do not add up'"
    for source in (answer, answer.replace("'", '"')):
        assert fingerprints(source).keys() == fingerprints(answer).keys()
    week = COURSE.weeks[0]
    hidden = next(cell for cell in COURSE.master(week).cells if cell.grade_id == "scaling_hidden_entropy")
    line = next(
        line.strip() for line in hidden.source.splitlines() if "expected" in line or "entropy(" in line
    )
    assert any("a hidden test" in sentence for sentence in secrets.find(PLACE, line.encode())), line


@pytest.mark.slow
def test_every_solution_is_known_and_no_release_shows_one(secrets):
    for week in COURSE.weeks:
        place = f"{week.name}/{week.notebook}.ipynb"
        assert secrets.find(place, COURSE.release(week).read_bytes()) == []
        for cell in COURSE.master(week).cells:
            if cell.role == SOLUTION_CELL:
                for solution in hidden_from_students(cell):
                    assert secrets.find(place, solution.encode()), f"{week.name} {cell.grade_id}: not found"


def test_a_sentence_of_a_model_answer_is_found(secrets):
    week = COURSE.weeks[0]
    (model,) = (cell.source for cell in COURSE.master(week).cells if cell.role == "written")
    sentence = max(re.split(r"(?<=[.!?])\s+", model), key=len).upper().replace(" ", "  \n")
    assert any("a model answer" in found for found in secrets.find("README.md", sentence.encode()))


@pytest.fixture
def small(tmp_path):
    (tmp_path / "course").mkdir()
    course, week = make_course(tmp_path / "course")
    release.release(course, week, gradebook=False)
    return course


def read_files(root):
    return {
        path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file()
    }


@pytest.mark.slow
def test_two_runs_give_the_same_bytes_and_nothing_else(tmp_path):
    """The second time one week alone, since each costs as much as all tests of it; what tells of all weeks differs."""
    publish(COURSE, list(COURSE.weeks), tmp_path / "one")
    publish(COURSE, list(COURSE.weeks[:1]), tmp_path / "other")
    one, other = read_files(tmp_path / "one"), read_files(tmp_path / "other")
    assert set(one) == {*contents(COURSE, list(COURSE.weeks)), LIST}
    assert set(other) == {*contents(COURSE, list(COURSE.weeks[:1])), LIST}
    different = {name for name in other if other[name] != one[name]}
    assert different <= {"README.md", "narration/manifest.json", LIST}, different
    kinds = {
        re.sub(r"week\d_\w+", "WEEK", str(Path(name).with_name("*" + Path(name).suffix))) for name in one
    }
    spoken = {f"narration/WEEK/*{kind}" for kind in (".md", ".mp3", ".vtt")}
    others = {
        "WEEK/*.safetensors",
        "WEEK/*.ipynb",
        "WEEK/*.txt",
        "WEEK/*.md",
        "explorer/*.html",
        "drawings/*.svg",
    }
    assert kinds == {"*.md", "*.json", "narration/*.json"} | spoken | others
    page = one["README.md"].decode()
    assert "(explorer/index.html)" in page
    for week in COURSE.weeks:
        assert COURSE.repository.colab(week.name, week.notebook) in page and f"{week.minutes} minutes" in page
    for target in re.findall(r"\]\(([^)#]+)\)", page):
        assert target.startswith("https://") or target in one, (
            f"the README leads to {target}, which is not there"
        )


def test_two_runs_of_one_week_give_the_same_bytes(small, tmp_path):
    one, other = (
        publish(small, list(small.weeks), tmp_path / name) and read_files(tmp_path / name)
        for name in ("one", "other")
    )
    assert one == other and set(one) == {*contents(small, list(small.weeks)), LIST}
    assert {"README.md", "week1_attention/attention.ipynb", "week1_attention/tutor.txt"} <= set(one)


def lay_beside(course, week, name, data):
    """A file beside the source notebook, whose first cell names it."""
    path = course.source(week)
    (path.parent / name).write_bytes(data)
    notebook = json.loads(path.read_bytes())
    notebook["cells"][0]["source"] += f"\n\nIts data are in `{name}`."
    path.write_text(json.dumps(notebook))


def test_what_is_not_wanted_any_more_goes(small, tmp_path):
    folder = tmp_path / "students"
    week = small.weeks[0]
    lay_beside(small, week, "numbers.csv", b"1,2\n")
    release.release(small, week, gradebook=False)
    assert f"{week.name}/numbers.csv" in publish(small, [week], folder)
    (small.source(week).parent / "numbers.csv").unlink()
    (small.release(week).parent / "numbers.csv").unlink()
    publish(small, [week], folder)
    assert sorted(path.name for path in (folder / week.name).iterdir()) == ["attention.ipynb", "tutor.txt"]


def test_audio_goes_along_with_its_script(small, tmp_path):
    """Sound, cues and the manifest of the weeks that are published; no recording, nothing without a script."""
    week = small.weeks[0]
    home = make_spoken_course(tmp_path / "spoken")
    narrate(home, list(home.weeks))
    shutil.copytree(home.root / "narration", small.root / "narration")
    spoken = small.root / "narration" / week.name
    manifest = read_manifest(small.root / "narration")
    write_manifest(
        small.root / "narration", manifest | {"week9_other/01_else": manifest[f"{week.name}/01_first"]}
    )
    (spoken / "01_first.recording.mp3").write_bytes(b"a private take")
    (spoken / "03_gone.mp3").write_bytes(b"of no script")
    names = publish(small, [week], tmp_path / "students")
    kinds = (".md", ".mp3", ".vtt")
    wanted = {f"narration/{week.name}/{name}{kind}" for name in SCRIPTS for kind in kinds}
    assert {name for name in names if name.startswith("narration/")} == wanted | {"narration/manifest.json"}
    folder = tmp_path / "students" / "narration"
    assert read_manifest(folder) == manifest
    for name, entry in manifest.items():
        assert digest((folder / f"{name}.mp3").read_bytes()) == entry.audio_sha256


def test_a_leak_is_refused_and_nothing_is_written(small, tmp_path):
    week = small.weeks[0]
    lay_beside(small, week, "tip.txt", f"Think of it so:\n\n{MODEL}\n".encode())
    release.release(small, week, gradebook=False)
    with pytest.raises(
        CourseError, match=r"Nothing was published.*\n- week1_attention/tip.txt shows a model answer"
    ):
        publish(small, [week], tmp_path / "students")
    assert not (tmp_path / "students").exists()


def tarred(data):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as file:
        member = tarfile.TarInfo("notes.py")
        member.size = len(data)
        file.addfile(member, io.BytesIO(data))
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("helper.py", f"# Für später\n{LINE}\n".encode("latin-1")),
        ("helper.py", f"# Für später!\n{LINE}\n".encode("latin-1")),
        ("notes.tar.gz", tarred(LINE.encode())),
        ("notes.xz", lzma.compress(LINE.encode())),
        ("notes.bz2", bz2.compress(LINE.encode())),
        ("sheet.pdf", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj"),
        ("sheet.pdf", b"%PDF-1.4\n1 0 obj << /Filter /ASCII85Decode >> stream"),
        ("notes.zip", zipped(lzma.compress(LINE.encode()))),
        ("notes.gz", gzip.compress(b"\x00\x01\x02\xff" * 100)),
        ("model.safetensors", b"\xff" * 200),
    ],
    ids=[
        "latin-1",
        "latin-1, even",
        "tar.gz",
        "xz",
        "bz2",
        "pdf",
        "pdf in ascii",
        "xz in zip",
        "gz",
        "weights",
    ],
)
def test_what_cannot_be_read_is_refused(small, tmp_path, name, data):
    week = small.weeks[0]
    lay_beside(small, week, name, data)
    release.release(small, week, gradebook=False)
    with pytest.raises(CourseError, match=rf"{name} cannot be searched"):
        publish(small, [week], tmp_path / "students")
    assert not (tmp_path / "students").exists()


def test_what_no_cell_names_is_refused(small, tmp_path):
    week = small.weeks[0]
    (small.source(week).parent / "plan.txt").write_text("Next year: other numbers.\n")
    release.release(small, week, gradebook=False)
    with pytest.raises(CourseError, match=r"plan\.txt from source/week1_attention/"):
        publish(small, [week], tmp_path / "students")
    assert not (tmp_path / "students").exists()


def test_folders_that_are_refused(small, tmp_path):
    week = small.weeks[0]
    for folder in (small.root, small.root / "public", tmp_path):
        with pytest.raises(CourseError, match="is part of the course folder, or contains it"):
            publish(small, [week], folder)
    strange = tmp_path / "strange"
    (strange / "answers").mkdir(parents=True)
    (strange / "answers" / "mine.py").write_text("x = 1")
    with pytest.raises(
        CourseError, match=r"holds files that .course publish. did not write: answers/mine\.py"
    ):
        publish(small, [week], strange)
    (tmp_path / "file").write_text("")
    with pytest.raises(CourseError, match="is not a folder"):
        publish(small, [week], tmp_path / "file")


def test_a_list_that_leads_out_of_the_folder_removes_nothing(small, tmp_path):
    folder, victim = tmp_path / "students", tmp_path / "thesis.tex"
    folder.mkdir()
    victim.write_text("years of work")
    (folder / LIST).write_text(json.dumps({"../thesis.tex": "", str(victim): ""}))
    publish(small, [small.weeks[0]], folder)
    assert victim.read_text() == "years of work"


def test_an_archive_that_cannot_be_looked_into_is_refused(small, tmp_path):
    week = small.weeks[0]
    lay_beside(small, week, "data.zip", zipped()[:40])
    release.release(small, week, gradebook=False)
    with pytest.raises(CourseError, match=r"data.zip cannot be searched: it is an archive that cannot"):
        publish(small, [week], tmp_path / "students")


def test_a_release_that_is_out_of_date_is_not_published(small, tmp_path):
    week = small.weeks[0]
    small.release(week).write_bytes(small.release(week).read_bytes() + b"\n")
    with pytest.raises(CourseError, match="Run `course release"):
        publish(small, [week], tmp_path / "students")


@pytest.mark.slow
def test_the_instructors_way(tmp_path):
    """The commands of docs/instructors.md for the students' repository, from a copy of the course to their clone."""
    world, course = World(tmp_path / "world"), tmp_path / "course"
    shutil.copytree(ROOT, course, ignore=shutil.ignore_patterns(".*", "demo", "submitted", "autograded"))
    settings = course / "course.toml"
    text = (
        settings.read_text(encoding="utf-8").replace('"your-name"', '"someone"').replace("demo = true\n", "")
    )
    first = 'title = "Scaled dot-product attention"\n'
    text = text.replace(first, first + 'deadline = "Sunday, 7 March, 23:59"\n')
    settings.write_text('contact = "Write to the tutors."\n' + text, encoding="utf-8")
    bare = world.root / "STUDENTS.git"
    world.git("init", "--quiet", "--bare", str(bare))
    page = (ROOT / "docs" / "instructors.md").read_text(encoding="utf-8")
    way = page.partition("### The students' notebooks\n")[2].partition("\n## ")[0]
    problems, count = run_page(way, "instructors.md", course, world.environment)
    assert problems == [] and count >= 8
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", bare, clone], check=True)
    page = (clone / "README.md").read_text(encoding="utf-8")
    assert "Sunday, 7 March, 23:59" in page and "Write to the tutors." in page and "is not set yet" in page
    assert "someone/transformer-course/blob/main/week8_transformer/transformer.ipynb" in page
    texts = [
        path.read_text(encoding="utf-8") for path in clone.rglob("*") if path.suffix in (".md", ".ipynb")
    ]
    assert len(texts) > 70 and not any("your-name" in text or "{{" in text for text in texts)
    assert not any("BEGIN SOLUTION" in text or "BEGIN HIDDEN" in text for text in texts)
