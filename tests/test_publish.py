"""`course publish`: what students get, and that no solution goes along, however it is disguised."""

import base64
import gzip
import io
import json
import lzma
import re
import shutil
import tarfile
import urllib.parse
import zipfile
from dataclasses import replace
from pathlib import PurePath

import pytest
from quick import first
from small_course import MODEL, ROOT, files_in, make_course
from spoken_course import SCRIPTS, make_spoken_course

from coursekit.authoring import release
from coursekit.authoring.narration.manifest import read_manifest, write_manifest
from coursekit.authoring.narration.narrate import narrate
from coursekit.authoring.publish.fingerprint import fingerprints
from coursekit.authoring.publish.leaks import Secrets
from coursekit.authoring.publish.publish import LIST, contents, publish
from coursekit.course.config import open_course
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import SOLUTION_CELL
from coursekit.engine.shared.master import secrets as hidden_from_students

COURSE = open_course(ROOT)
LINE = "scores = Q @ K.transpose(-2, -1) / math.sqrt(K.shape[-1])"
PLACE = "week1_attention/attention.ipynb"


@pytest.fixture(scope="module")
def secrets():
    """Those of the first week alone, which take a tenth of the time of all."""
    return Secrets(replace(COURSE, weeks=COURSE.weeks[:1]))


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
    "a JSON key that comes again": in_file(json.dumps({"hint": LINE})[:-1].encode() + b', "hint": ""}'),
    "wide letters": in_cell("".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in LINE)),
}


@pytest.mark.parametrize("disguise", first(4, DISGUISES))
def test_a_planted_line_is_found(secrets, page, disguise):
    data = DISGUISES[disguise](json.loads(json.dumps(page)))
    found = secrets.find(PLACE, data)
    assert any("a solution, week1_attention's attention" in sentence for sentence in found), found


def test_quotes_make_no_difference():
    answer = "df = {'a': softmax(x, axis=0)}\nassert np.allclose(y, x - 3, atol=1e-3), 'rows do not add up'"
    assert fingerprints(answer.replace("'", '"')).keys() == fingerprints(answer).keys()


def test_a_line_of_a_hidden_test_is_found(secrets):
    cells = COURSE.master(COURSE.weeks[0]).cells
    (hidden,) = (cell.source for cell in cells if cell.grade_id == "scaling_hidden_entropy")
    line = next(line.strip() for line in hidden.splitlines() if "expected" in line or "entropy(" in line)
    assert any("a hidden test" in sentence for sentence in secrets.find(PLACE, line.encode())), line


@pytest.mark.slow
def test_every_solution_is_known_and_no_release_shows_one():
    secrets = Secrets(COURSE)
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


@pytest.fixture
def publish_small(small, tmp_path):
    """Publish the small course into `students/`; return {path: bytes} of what is there then."""
    folder = tmp_path / "students"

    def publish_small():
        assert publish(small, list(small.weeks), folder)
        return files_in(folder)

    return publish_small


@pytest.mark.slow
def test_what_a_whole_course_is_to_its_students(tmp_path):
    names = publish(COURSE, list(COURSE.weeks), tmp_path)
    places = (PurePath(re.sub(r"week\d_\w+", "WEEK", name)) for name in names)
    assert {str(place.with_name("*" + place.suffix)) for place in places} == {
        *("*.md", "*.json", "narration/*.json", "explorer/*.html"),
        *(f"narration/WEEK/*{kind}" for kind in (".md", ".mp3", ".vtt")),
        *(f"WEEK/*{kind}" for kind in (".safetensors", ".ipynb", ".txt", ".md")),
    }
    page = (tmp_path / "README.md").read_text(encoding="utf-8")
    assert "(explorer/index.html)" in page
    for week in COURSE.weeks:
        assert COURSE.repository.colab(week.name, week.notebook) in page and f"{week.minutes} minutes" in page
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", page) if not link.startswith("https://")]
    assert set(links) <= set(names)


def test_the_readme_has_the_courses_own_words(small):
    settings = small.root / "course.toml"
    text = settings.read_text(encoding="utf-8")
    first = 'title = "Scaled dot-product attention"\n'
    assert first in text
    text = text.replace(first, first + 'deadline = "Sunday, 7 March, 23:59"\n')
    settings.write_text('contact = "Write to the tutors."\n' + text, encoding="utf-8")
    course = open_course(small.root)
    release.release(course, course.weeks[0], gradebook=False)
    page = contents(course, list(course.weeks))["README.md"].decode()
    assert "Sunday, 7 March, 23:59" in page and "Write to the tutors." in page
    assert "{{" not in page and "{%" not in page


def test_two_runs_give_the_same_bytes(small, publish_small):
    one = publish_small()
    assert publish_small() == one and set(one) == {*contents(small, list(small.weeks)), LIST}
    assert {"README.md", "week1_attention/attention.ipynb", "week1_attention/tutor.txt"} <= set(one)


def lay_beside(course, name, data, named=True):
    """Put a file beside the source notebook, whose first cell names it, and release the week."""
    (week,) = course.weeks
    path = course.source(week)
    (path.parent / name).write_bytes(data)
    notebook = json.loads(path.read_bytes())
    notebook["cells"][0]["source"] += f"\n\nIts data are in `{name}`." if named else ""
    path.write_text(json.dumps(notebook))
    release.release(course, week, gradebook=False)


def test_what_is_not_wanted_any_more_goes(small, publish_small):
    (week,) = small.weeks
    lay_beside(small, "numbers.csv", b"1,2\n")
    before = publish_small()
    (small.source(week).parent / "numbers.csv").unlink()
    (small.release(week).parent / "numbers.csv").unlink()
    assert before.keys() - publish_small().keys() == {f"{week.name}/numbers.csv"}


def test_audio_goes_along_with_its_script(small, publish_small, tmp_path):
    """Sound, cues and the manifest of the weeks that are published; no recording, nothing without a script."""
    week = small.weeks[0]
    home = make_spoken_course(tmp_path / "spoken")
    narrate(home, list(home.weeks))
    narration = small.root / "narration"
    shutil.copytree(home.root / "narration", narration)
    manifest = read_manifest(narration)
    write_manifest(narration, manifest | {"week9_other/01_else": manifest[f"{week.name}/01_first"]})
    (narration / week.name / "01_first.recording.mp3").write_bytes(b"a private take")
    (narration / week.name / "03_gone.mp3").write_bytes(b"of no script")
    wanted = {f"{week.name}/{name}{kind}" for name in SCRIPTS for kind in (".md", ".mp3", ".vtt")}
    found = {name: data for name, data in publish_small().items() if name.startswith("narration/")}
    assert found.keys() == {f"narration/{name}" for name in wanted | {"manifest.json"}}
    assert all(found[f"narration/{name}"] == (narration / name).read_bytes() for name in wanted)
    assert read_manifest(tmp_path / "students" / "narration") == manifest


def tarred(data):
    buffer = io.BytesIO()
    with tarfile.open(fileobj=buffer, mode="w:gz") as file:
        member = tarfile.TarInfo("notes.py")
        member.size = len(data)
        file.addfile(member, io.BytesIO(data))
    return buffer.getvalue()


UNREADABLE = {
    "latin-1": ("helper.py", f"# Für später\n{LINE}\n".encode("latin-1")),
    "latin-1 of even length": ("helper.py", f"# Für später!\n{LINE}\n".encode("latin-1")),
    "tar.gz": ("notes.tar.gz", tarred(LINE.encode())),
    "xz": ("notes.xz", lzma.compress(LINE.encode())),
    "pdf": ("sheet.pdf", b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj"),
    "pdf in ascii": ("sheet.pdf", b"%PDF-1.4\n1 0 obj << /Filter /ASCII85Decode >> stream"),
    "xz in zip": ("notes.zip", zipped(lzma.compress(LINE.encode()))),
    "gz of other bytes": ("notes.gz", gzip.compress(b"\x00\x01\x02\xff" * 100)),
    "half a zip": ("data.zip", zipped()[:40]),
    "weights": ("model.safetensors", b"\xff" * 200),
}


@pytest.mark.parametrize("what", UNREADABLE)
def test_what_cannot_be_searched_is_refused(small, tmp_path, what):
    name, data = UNREADABLE[what]
    lay_beside(small, name, data)
    with pytest.raises(CourseError, match=rf"{name} cannot be searched"):
        publish(small, list(small.weeks), tmp_path / "students")
    assert not (tmp_path / "students").exists()


@pytest.mark.parametrize(
    ("spoil", "sentence"),
    [
        (
            lambda course: lay_beside(course, "tip.txt", f"Think of it so:\n\n{MODEL}\n".encode()),
            r"Nothing was published.*\n- week1_attention/tip.txt shows a model answer",
        ),
        (
            lambda course: lay_beside(course, "plan.txt", b"Next year: other numbers.\n", named=False),
            r"plan\.txt from source/week1_attention/",
        ),
        (lambda course: course.release(course.weeks[0]).write_bytes(b"{}\n"), "Run `course release"),
    ],
    ids=["a leak", "a file that no cell names", "a release that is out of date"],
)
def test_what_is_wrong_is_refused_and_nothing_is_written(small, tmp_path, spoil, sentence):
    spoil(small)
    with pytest.raises(CourseError, match=sentence):
        publish(small, list(small.weeks), tmp_path / "students")
    assert not (tmp_path / "students").exists()


def test_folders_that_are_refused(small, tmp_path):
    (tmp_path / "other" / "answers").mkdir(parents=True)
    (tmp_path / "other" / "answers" / "mine.py").write_text("x = 1")
    (tmp_path / "file").write_text("")
    part = "is part of the course folder, or contains it"
    for folder, sentence in {
        small.root: part,
        small.root / "public": part,
        tmp_path: part,
        tmp_path / "other": r"holds files that .course publish. did not write: answers/mine\.py",
        tmp_path / "file": "is not a folder",
    }.items():
        with pytest.raises(CourseError, match=sentence):
            publish(small, list(small.weeks), folder)


def test_a_list_that_leads_out_of_the_folder_removes_nothing(small, publish_small, tmp_path):
    victim = tmp_path / "thesis.tex"
    victim.write_text("years of work")
    (tmp_path / "students").mkdir()
    (tmp_path / "students" / LIST).write_text(json.dumps({"../thesis.tex": "", str(victim): ""}))
    publish_small()
    assert victim.read_text() == "years of work"
