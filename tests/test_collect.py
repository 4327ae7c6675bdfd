"""`course collect`: archives as the platforms make them, rosters, and names that somebody chose to mislead."""

import contextlib
import csv
import io
import json
import os
import shutil
import tempfile
from pathlib import Path

import pytest
from archives import NAME, OTHER, WEEK, notebook, packed
from command import course_here
from mirror_server import Drive, gives
from plain_nbgrader import nbgrader
from small_course import add_second_week, files_in, make_course

from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import fill
from coursekit.intake import opening
from coursekit.intake.collect import collect
from coursekit.intake.submissions import strays


@pytest.fixture
def course(tmp_path):
    (tmp_path / "course").mkdir()
    return add_second_week(make_course(tmp_path / "course")[0])


@pytest.fixture
def archive(tmp_path):
    """A function: {name: bytes} to the path of a .zip."""

    def make(files, name="download.zip") -> str:
        (tmp_path / name).write_bytes(packed(files)[1])
        return str(tmp_path / name)

    return make


@pytest.fixture
def collected(course, archive):
    """A function: {name: bytes} to what became of them as a .zip."""
    return lambda files, **options: collect(course, course.week(WEEK), archive(files), **options)


def folder(path: Path, files: dict[str, bytes]) -> str:
    for name, data in files.items():
        (path / name).parent.mkdir(parents=True, exist_ok=True)
        (path / name).write_bytes(data)
    return str(path)


def there(course) -> dict[str, bytes]:
    """{path below submitted/: bytes}."""
    return files_in(course.root / "submitted")


def graded_from(course, *students) -> list[bytes]:
    return [there(course)[f"{student}/{WEEK}/{NAME}"] for student in students]


def students_of(done) -> set[str]:
    return {placed.student for placed in done.students}


A, B, C, D = (notebook(letter) for letter in "abcd")

METADATA = b"""---
submission_1001:
  :submitters:
  - :name: Ann Lee
    :sid: '300'
    :email: ann@example.org
  :created_at: 2026-11-02 23:30:00.000000000 +01:00
submission_1002:
  :submitters:
  - :name: Bo
    :sid: '301'
    :email: bo@example.org
  - :name: Cy
    :sid: '302'
    :email: cy@example.org
  :created_at: 2026-11-03 08:00:00.000000000 Z
"""

# Layout: the download's files, and {student: what is graded}.
LAYOUTS = {
    "Canvas": (
        {
            f"leeann_101_9001_{NAME}": A,
            "bo_LATE_102_9002_attention-1.ipynb": B,
            # The sortable name may hold anything but what stands for the ids; what the student typed does not count.
            f"garcíalópezanamaría_103_9003_{WEEK}__101.ipynb": C,
            "leeann_101_9000_notes.txt": b"notes",
        },
        {"101": A, "102": B, "103": C},
    ),
    "Canvas, anonymous": (
        {f"anon_aB3d5_9001_{NAME}": A, f"LATE_anon_xY7_9002_{NAME}": B},
        {"anon_aB3d5": A, "anon_xY7": B},
    ),
    "Moodle, folders": (
        {
            f"Ann Lee_7001_assignsubmission_file/{NAME}": A,
            f"Ana María López_7002_assignsubmission_file_/{WEEK}__ann.ipynb": B,
            "李小龙_7003_assignsubmission_file/sub/x.ipynb": C,
            "Ann Lee_7001_assignsubmission_onlinetext/onlinetext.html": b"<p>hello</p>",
        },
        {"Ann-Lee": A, "Ana-María-López": B, "李小龙": C},
    ),
    "Moodle, files": (
        {
            f"Ann Lee_7001_assignsubmission_file_{NAME}": A,
            "Bo_7002_assignsubmission_file_Ann Lee_7001_assignsubmission_file_x.ipynb": B,
        },
        {"Ann-Lee": A, "Bo": B},
    ),
    "Gradescope": (
        {
            "assignment_55_export/submission_metadata.yml": METADATA,
            f"assignment_55_export/submission_1001/{NAME}": A,
            "assignment_55_export/submission_1002/mine.ipynb": B,
        },
        {"300": A, "301": B, "302": B},
    ),
    "nbgrader": (
        {
            f"submitted/ann/{WEEK}/{NAME}": A,
            f"submitted/ann/{WEEK}/timestamp.txt": b"2026-11-02 10:00:00.5 Europe/Berlin",
            f"submitted/bo/{WEEK}/{NAME}": B,
            f"submitted/bo/{WEEK}/.ipynb_checkpoints/attention-checkpoint.ipynb": A,
        },
        {"ann": A, "bo": B},
    ),
    "nbgrader, exchange": (
        {
            f"inbound/ann+{WEEK}+2026-11-02 10:00:00.000000 UTC+x1/{NAME}": A,
            f"inbound/ann+{WEEK}+2026-11-03 10:00:00.000000 UTC+x2/{NAME}": B,
            f"inbound/bo+{WEEK}+2026-11-01 10:00:00.000000 UTC/{NAME}": C,
        },
        {"ann": B, "bo": C},
    ),
    "hand_in": (
        {
            f"{WEEK}__ann.ipynb": A,
            f"{WEEK}__bo (1).ipynb": C,
            f"{WEEK}__bo.ipynb": B,
            f"{WEEK}__c+d@e.f.ipynb": D,
        },
        {"ann": A, "bo": C, "c+d@e.f": D},
    ),
    "Google Classroom": (
        {
            "Week 1/Ann Lee - attention.ipynb": A,
            "Week 1/Copy of attention - Bo.ipynb": B,
            f"Week 1/{WEEK}__cy.ipynb": C,
            "Week 1/attention_Dan_O'Hara (2).ipynb": D,
        },
        {"Ann-Lee": A, "Bo": B, "cy": C, "Dan_O-Hara": D},
    ),
    "a folder each": (
        {f"class/ann/{NAME}": A, "class/bo/my work.ipynb": B, "class/bo/data.csv": b"1,2"},
        {"ann": A, "bo": B},
    ),
    "a folder each, two groups": (
        {f"group 1/{WEEK}__ann.ipynb": A, f"group 1/{WEEK}__bo.ipynb": B, f"group 2/{WEEK}__cy.ipynb": C}
        | {f"group 2/{WEEK}__dan.ipynb": D},
        {"ann": A, "bo": B, "cy": C, "dan": D},
    ),
}


@pytest.mark.parametrize("layout", LAYOUTS)
def test_a_layout(course, archive, tmp_path, layout):
    """As an archive, and then the same as a folder, which changes nothing."""
    files, expected = LAYOUTS[layout]
    source = archive(files)
    before = Path(source).read_bytes()
    for what, download in (("new", source), ("unchanged", folder(tmp_path / "folder", files))):
        done = collect(course, course.week(WEEK), download)
        assert dict(zip(expected, graded_from(course, *expected), strict=True)) == expected
        assert done.unplaced == {}
        assert {(placed.student, placed.what) for placed in done.students} == {
            (one, what) for one in expected
        }
    assert Path(source).read_bytes() == before


@pytest.mark.parametrize(
    ("layout", "times", "late"),
    [
        ("Gradescope", {"300": b"2026-11-02 22:30:00.000000 UTC\n"}, []),
        ("nbgrader", {"ann": b"2026-11-02 09:00:00.500000 UTC\n", "bo": None}, []),
        ("Canvas", {"101": None}, ["102"]),
    ],
)
def test_what_the_platform_knows_of_time(course, collected, layout, times, late):
    done = collected(LAYOUTS[layout][0])
    for student, time in times.items():
        assert there(course).get(f"{student}/{WEEK}/timestamp.txt") == time
    assert [one.student for one in done.students if one.late] == late


def test_the_last_counts_and_none_is_lost(course, collected):
    first, second = {f"lee_1_10_{NAME}": A}, {f"lee_1_12_{NAME}": C, f"lee_1_11_{NAME}": B}
    collected(first)
    (placed,) = collected(second).students
    assert (placed.what, graded_from(course, "1")) == ("replaced", [C])
    assert placed.remarks == ["2 notebooks: the last one counts, the others are in .earlier/"]
    earlier = {data for path, data in there(course).items() if path.startswith("1/.earlier/")}
    assert earlier == {A, B}
    (placed,) = collected(first).students  # an old download does not bring the old notebook back
    assert (placed.what, graded_from(course, "1")) == ("older", [C])
    assert [one.what for one in collected(second).students] == ["unchanged"]


def test_an_older_one_does_not_replace_a_newer_one(course, collected):
    name = f"ann+{WEEK}+2026-11-0{{}} 10:00:00.000000 UTC/{NAME}"
    collected({name.format(3): A, f"bo+{WEEK}+2026-11-01 1:1/x.ipynb": D})
    done = collected({name.format(2): B})
    assert [one.what for one in done.students] == ["older"] and graded_from(course, "ann") == [A]
    assert B in there(course).values()


def test_a_dry_run_writes_nothing(course, collected):
    done = collected(LAYOUTS["Canvas"][0], dry_run=True)
    assert len(done.students) >= 3 and there(course) == {}


# Kind: the roster, and the names under which ann and bo hand in.
ROSTERS = {
    "our own": (
        "id,name,email\nalee,Ann Lee,ann@example.org\nbo,Bo,bo@example.org\ncy,Cy,cy@example.org\n",
        (f"leeann_1_9_{NAME}", f"bo_2_9_{NAME}"),
    ),
    "with semicolons and a mark": (
        "\ufeffID;Name\nalee;Lee, Ann\nbo;Bo\ncy;Cy\n",
        ("Ann Lee - attention.ipynb", "bo attention.ipynb"),
    ),
    "Moodle's worksheet": (
        "Identifier,Full name,ID number,Email address,Status\nParticipant 7001,Ann Lee,alee,ann@example.org,Submitted\n"
        "Participant 7002,Bo,bo,bo@example.org,-\nParticipant 7003,Cy,cy,cy@example.org,-\n",
        (f"Participant_7001_assignsubmission_file/{NAME}", f"Bo_7002_assignsubmission_file/{NAME}"),
    ),
    "Gradescope's": (
        "First Name,Last Name,SID,Email\nAnn,Lee,alee,ann@example.org\nBo,,bo,bo@x\nCy,,cy,cy@x\n",
        (f"{WEEK}__ann@example.org.ipynb", f"{WEEK}__BO.ipynb"),
    ),
}


@pytest.mark.parametrize("kind", ROSTERS)
def test_a_roster_says_who_it_is_and_who_is_missing(course, collected, tmp_path, kind):
    text, (ann, bo) = ROSTERS[kind]
    (tmp_path / "class.csv").write_text(text, encoding="utf-8")
    done = collected({ann: A, bo: B}, roster=tmp_path / "class.csv")
    assert (done.unplaced, done.missing) == ({}, ["cy"])
    assert graded_from(course, "alee", "bo") == [A, B]


def test_names_that_the_roster_does_not_settle_are_reported(course, collected):
    (course.root / "roster.csv").write_text("id,name\nann,Ann Lee\nann2,Ann  Lee\nbo,Bo\n")
    files = {
        f"Ann Lee_1_assignsubmission_file/{NAME}": A,
        f"Zed_2_assignsubmission_file/{NAME}": B,
        f"Bo_3_assignsubmission_file/{NAME}": C,
        f"bo_4_assignsubmission_file/{NAME}": D,
    }
    done = collected(files)
    assert done.students == [] and there(course) == {}
    ann, zed, bo, other = (done.unplaced[name] for name in files)
    assert "no student in the roster has 'Zed' or 'Participant 2'" in zed
    assert "several students in the roster fit: 'Ann Lee' leads to ann, ann2" in ann
    assert bo == other and "2 students of the platform would be 'bo'" in bo


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("id\n", "has no students"),
        ("", "has no students"),
        ("colour,shoe\nred,42\n", "has no column with the students' ids"),
        ("id,name\nann,Ann\nann,Anna\n", "line 3: the id 'ann' is there twice"),
        ("id\n\udcff\n", "Save it as CSV in UTF-8"),
    ],
)
def test_an_unusable_roster(collected, tmp_path, text, message):
    path = tmp_path / "class.csv"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(CourseError, match=message):
        collected({}, roster=path)


NOBODYS = "neither its name nor its folder says whose it is"


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (f"{OTHER}__bo.ipynb", "it belongs to week2_multi_head"),
        (f"bo/{OTHER}/multi_head.ipynb", "it belongs to week2_multi_head"),
        ("multi_head - Bo.ipynb", "it belongs to week2_multi_head"),
        (NAME, NOBODYS),
        ("Copy of attention (3).ipynb", NOBODYS),
        (f"{WEEK}__...ipynb", "cannot be a student's id"),
        (f"{WEEK}__{'é' * 80}.ipynb", None),
    ],
)
def test_what_cannot_be_placed_is_reported_and_stops_nobody(course, collected, name, message):
    done = collected({f"{WEEK}__ann.ipynb": B, name: A, f"{WEEK}__cy.ipynb": C})
    assert graded_from(course, "ann", "cy") == [B, C]
    assert list(done.unplaced) == ([name] if message else [])
    assert not message or message in done.unplaced[name]


def test_a_folder_with_far_too_many_files_is_refused(course, tmp_path, monkeypatch):
    monkeypatch.setattr(opening, "MAX_ENTRIES", 50)
    source = folder(tmp_path / "c", {f"{WEEK}__s{n}.ipynb": b"" for n in range(51)})
    with pytest.raises(CourseError, match="more than 50 files"):
        collect(course, course.week(WEEK), source)


def test_an_address_that_is_no_folder_of_drive(course):
    with pytest.raises(CourseError, match="is not the address of a folder on Google Drive"):
        collect(course, course.week(WEEK), "https://example.org/class.zip")


@pytest.fixture
def from_drive(course, tmp_path, monkeypatch):
    """A function that collects from a folder on Google Drive with these names, each of one and the same notebook."""

    def collect_from(names):
        (tmp_path / "certificate").mkdir()
        links = "".join(  # as gdown looks for them
            f'<a href="https://drive.google.com/file/d/{number:x>28}/view?usp=drive_web">{name}</a>'
            for number, name in enumerate(names or [])
        )
        page = f"<!DOCTYPE html><html><head><title>Week 1</title></head><body>{links}</body></html>".encode()
        listing = None if names is None else gives(page, "text/html")
        answer = gives(A, Content_Disposition='attachment; filename="x.ipynb"')
        with Drive(answer, tmp_path / "certificate", listing) as server:
            for name, value in server.environment.items():
                monkeypatch.setenv(name, value)
            try:
                address = "https://drive.google.com/drive/folders/1AbCdEfGhIjKlMnOpQrStUvWxYz012345"
                return collect(course, course.week(WEEK), address)
            finally:
                assert any("embeddedfolderview" in asked for asked in server.asked)

    return collect_from


def test_a_folder_on_google_drive(course, from_drive):
    done = from_drive([f"{WEEK}__ann.ipynb", "Bo - attention.ipynb"])
    assert students_of(done) == {"ann", "Bo"} and graded_from(course, "ann", "Bo") == [A, A]


@pytest.mark.parametrize("name", ["../../evil.ipynb", "/tmp/evil-of-a-test.ipynb", "..%2f..%2fevil.ipynb"])
def test_a_name_on_google_drive_leads_nowhere_else(from_drive, tmp_path, name):
    """Students choose the names of their files there; they are put into a folder of their own all the same."""
    with contextlib.suppress(CourseError):
        from_drive([f"{WEEK}__ann.ipynb", name])
    around = [tmp_path, *Path(tempfile.gettempdir(), "x").parents]
    assert [path for place in around for path in place.glob("*evil*")] == []


def test_a_folder_on_google_drive_that_is_not_shared(course, from_drive):
    with pytest.raises(CourseError, match="The folder on Google Drive .*choose Download"):
        from_drive(None)
    assert there(course) == {}


def test_links_in_folders_are_not_followed(course, collected, tmp_path):
    folder(tmp_path / "secret", {"x.ipynb": D})
    source = folder(tmp_path / "in", {f"{WEEK}__ann.ipynb": A})
    os.symlink(tmp_path / "secret", tmp_path / "in" / "bo")
    os.symlink(tmp_path / "secret" / "x.ipynb", tmp_path / "in" / f"{WEEK}__cy.ipynb")
    done = collect(course, course.week(WEEK), source)
    assert set(done.unplaced) == {"bo", f"{WEEK}__cy.ipynb"} and D not in there(course).values()
    os.symlink(tmp_path / "secret", course.root / "submitted" / "dan")
    done = collected({f"{WEEK}__dan.ipynb": B})
    assert "is a link" in done.unplaced[f"{WEEK}__dan.ipynb"]
    assert os.listdir(tmp_path / "secret") == ["x.ipynb"]


def test_an_id_is_found_as_it_is_before_it_is_found_in_other_letters(course, collected):
    (course.root / "roster.csv").write_text("id\na.b\nab\n")
    done = collected({f"{WEEK}__ab.ipynb": A, f"{WEEK}__a.b.ipynb": B})
    assert done.unplaced == {} and graded_from(course, "ab", "a.b") == [A, B]


def test_a_file_of_another_week_counts_only_without_a_better_one(course, collected):
    files = {f"lee_1_10_{NAME}": A, "lee_1_11_multi_head.ipynb": B, "bo_2_12_multi_head.ipynb": C}
    remarks = {one.student: one.remarks for one in collected(files).students}
    assert graded_from(course, "1", "2") == [A, C]
    assert remarks["2"] == ["called multi_head.ipynb: does it belong to another week?"]


def test_the_time_of_a_notebook_that_was_replaced_is_not_that_of_the_new_one(course, collected):
    collected({f"ann+{WEEK}+2026-11-01 10:00:00 UTC/x.ipynb": A})
    assert f"ann/{WEEK}/timestamp.txt" in there(course)
    collected({f"{WEEK}__ann.ipynb": B})
    assert graded_from(course, "ann") == [B] and f"ann/{WEEK}/timestamp.txt" not in there(course)


def test_what_a_student_calls_a_file_does_not_say_whose_it_is(collected):
    """A name as Canvas gives it, below Moodle's folder; one as Moodle gives it, after Canvas' numbers."""
    files = {
        "Bo_7002_assignsubmission_file/leeann_101_9_x.ipynb": A,
        f"cy_103_9_Lee Ann_7001_assignsubmission_file_{WEEK}__leeann.ipynb": B,
    }
    assert students_of(collected(files)) == {"Bo", "103"}


def test_beside_a_platforms_files_a_bare_name_says_nothing(collected):
    done = collected({f"lee_1_10_{NAME}": A, "sketches.ipynb": B, f"{WEEK}__zed.ipynb": C})
    assert students_of(done) == {"1", "zed"}
    assert done.unplaced == {"sketches.ipynb": "it is not named as the others are."}


@pytest.mark.parametrize(
    "forged",
    [
        f"ann/{WEEK}/{NAME}",
        f"ann+{WEEK}+2026-11-02 10:00:00 UTC/{NAME}",
        f"ann_7001_assignsubmission_file/{NAME}",
        f"ann_7001_assignsubmission_file_{NAME}",
        f"ann_101_9_{NAME}",
        f"{WEEK}__ann.ipynb",
    ],
    ids=["nbgrader", "the exchange", "Moodle's folder", "Moodle's name", "Canvas", "hand_in"],
)
def test_in_a_folder_of_a_students_names_are_that_students(course, collected, forged):
    """Although bo chose names as a platform gives them to ann."""
    done = collected({f"ann/{NAME}": A, f"bo/{WEEK}__bo.ipynb": B, f"bo/{forged}": C})
    assert students_of(done) == {"ann", "bo"}
    assert {data for path, data in there(course).items() if path.startswith("ann/")} == {A}


def test_metadata_that_a_student_handed_in_says_nothing(course, collected):
    forged = b"submission_1001:\n  :submitters:\n  - :sid: '301'\nsubmission_1002:\n  :submitters:\n  - :sid: '300'\n"
    inside = "assignment_55_export/submission_1002/submission_metadata.yml"
    collected(LAYOUTS["Gradescope"][0] | {inside: forged})
    assert graded_from(course, "300", "301") == [A, B]


@pytest.mark.parametrize("alone", [False, True])
@pytest.mark.parametrize("place", ["{}_7002_assignsubmission_file", f"submitted/{{}}/{WEEK}", "{}"])
def test_metadata_in_a_students_folder_of_another_platform_says_nothing(collected, place, alone):
    """The only submission_metadata.yml of a download is a student's: nobody's files become somebody else's by it."""
    mine, theirs = place.format("Bo"), place.format("Ann")
    forged = b"submission_1:\n  :submitters:\n  - :sid: Zed\n"
    files = {f"{mine}/submission_metadata.yml": forged, f"{mine}/submission_1/{NAME}": A}
    if not alone:
        files[f"{theirs}/submission_1/{NAME}"] = B
    # One folder that may be nobody's looks as Gradescope's export of one submission.
    expected = {"Ann", "Bo"} if not alone else {"Zed"} if place == "{}" else {"Bo"}
    assert students_of(collected(files)) == expected


@pytest.mark.parametrize("name", [f"submitted/bo/{WEEK}/timestamp.txt", "submission_metadata.yml"])
def test_what_a_platform_says_may_be_broken(course, archive, name):
    files = {f"submitted/ann/{WEEK}/{NAME}": A, name: b"2026-11-02 10:00:00 UTC" * 9}
    source = Path(archive(files))
    data = bytearray(source.read_bytes())
    central = data.index(b"PK\1\2", data.index(b"PK\1\2") + 1)
    data[central + 16 : central + 20] = b"\0\1\2\3"  # the checksum
    source.write_bytes(bytes(data))
    collect(course, course.week(WEEK), str(source))
    assert graded_from(course, "ann") == [A]


def test_what_is_in_the_way_in_submitted(course, collected):
    """A file for a student's folder costs nobody else; one for a week's folder ends the command with a sentence."""
    submitted = course.root / "submitted"
    folder(submitted, {"README.md": b"Put what was handed in here."})
    done = collected({f"{WEEK}__README.md.ipynb": A, f"{WEEK}__Bo.ipynb": B})
    assert graded_from(course, "Bo") == [B] and list(done.unplaced) == [f"{WEEK}__README.md.ipynb"]
    done = collected({f"{WEEK}__bo.ipynb": C})
    assert [(one.student, one.what) for one in done.students] == [("Bo", "replaced")], "one student"
    folder(submitted / "ann", {WEEK: b"a file where a folder should be"})
    with pytest.raises(CourseError, match="What was placed before is kept"):
        collected({f"{WEEK}__ann.ipynb": A})


def test_other_files_come_along_and_cannot_pose_as_anything(course, collected):
    files = {"ann/data.csv": b"1", "ann/deep/.hidden": b"2", f"ann/{NAME}": A, "ann/sub/x/y.py": b"3"}
    done = collected(files | {"bo/answer.zip": b"PK"})
    assert {path for path in there(course) if path.startswith("ann/")} == {
        f"ann/{WEEK}/{name}" for name in (NAME, "data.csv", "deep/hidden", "sub/x/y.py")
    }
    assert [one.remarks for one in done.students] == [[], ["no notebook among the files"]]


def test_a_name_that_is_cut_is_not_hidden(course, collected):
    collected({f"ann/{NAME}": A, f"ann/a.{'b' * 195}.txt": b"1", f"bo/{NAME}": B})
    assert f"ann/{WEEK}/{'b' * 195}.txt" in there(course)


def test_a_pipe_in_a_folder_is_named(course, tmp_path):
    files = folder(tmp_path / "folder", {f"ann/{NAME}": A})
    os.mkfifo(tmp_path / "folder" / "bo")
    done = collect(course, course.week(WEEK), files)
    assert (students_of(done), list(done.unplaced)) == ({"ann"}, ["bo"])


def test_what_is_not_graded_is_named(course, collected, tmp_path):
    collected({f"{WEEK}__ann.ipynb": A})
    submitted = course.root / "submitted"
    folder(submitted, {"README.md": b"about this folder", "bo.ipynb": B, "ann/mine.ipynb": C})
    os.symlink(tmp_path, submitted / "cy")
    assert strays(course) == ["ann/mine.ipynb", "bo.ipynb", "cy"]


@pytest.mark.slow
def test_from_the_download_to_the_sheet(course, archive):
    master = course.master(course.week(WEEK))
    right, wrong = (
        fill(master, {"double": f"def double(x):\n    return {value}", "why": "Because."})
        for value in ("2 * x", "x")
    )
    files = {
        f"leeann_101_9_{NAME}": right,
        f"bo_LATE_102_10_{WEEK}__101.ipynb": wrong,
        "cy_103_11_notes.docx": b"PK",
    }
    roster = "Student,ID,SIS Login ID\nLee Ann,101,alee\nBo,102,bo\nCy,103,cy\nDi,104,di\n"
    (course.root / "roster.csv").write_text(roster)

    def sheet():
        rows = csv.DictReader(io.StringIO(course_here(course.root, "export", WEEK).stdout))
        return [(row["student"], row["status"], row["double"]) for row in rows]

    done = course_here(course.root, "collect", WEEK, archive(files))
    assert done.returncode == 0 and "by 1 student: di" in done.stderr
    done = course_here(course.root, "grade", WEEK)
    assert done.returncode == 0 and "by 1 student: di" in done.stderr, done.stderr
    assert "has a result but nothing in submitted/" not in done.stderr
    alee, cy = ("alee", "graded", "5"), ("cy", "unreadable", "0")
    assert sheet() == [alee, ("bo", "graded", "0"), cy, ("di", "missing", "")]
    (course.root / "submitted" / "bo").rename(course.root / "submitted" / "di")
    done = course_here(course.root, "grade", WEEK)
    assert "bo has a result but nothing in submitted/ any more" in done.stderr
    assert "by 1 student: bo" in done.stderr
    shutil.rmtree(course.root / "autograded" / "bo")
    nbgrader(course.root, "db", "student", "remove", "bo", "--force")
    assert sheet() == [alee, ("bo", "missing", ""), cy, ("di", "graded", "0")]


def test_the_command(course, archive):
    (course.root / "roster.csv").write_text("id,name\n101,Ann Lee\n200,Zoë\n")
    source = archive({f"leeann_LATE_101_9_{NAME}": A, f"x_300_9_{NAME}": B, "__MACOSX/._x": b""})
    done = course_here(course.root, "collect", WEEK, source)
    assert done.returncode == 1
    assert "late" in done.stdout and "1 student: 1 new." in done.stdout
    assert "The students were recognised by the names of the files: Canvas (2 files)." in done.stdout
    assert "1 file left out that no student handed in" in done.stdout
    assert (
        f"Not placed: x_300_9_{NAME}: no student in the roster has the number '300' of Canvas or 'x'."
        in done.stderr
    )
    assert "Nothing handed in by 1 student: 200." in done.stderr
    done = course_here(course.root, "collect", WEEK, source, "--json")
    assert json.loads(done.stdout)["students"][0]["what"] == "unchanged"
    done = course_here(course.root, "collect", WEEK, "none.zip")
    assert done.returncode == 2 and "There is no file or folder" in done.stderr
    done = course_here(course.root, "collect", "week9", source)
    assert done.returncode == 2 and "has no week" in done.stderr


@pytest.mark.parametrize(
    ("prefix", "student"),
    [
        ("ann", "ann"),
        (f"ann/{WEEK}", "ann"),
        ("Ann Lee_7001_assignsubmission_file", "Ann-Lee"),
        ("Ann Lee_7001_assignsubmission_file/week 1", "Ann-Lee"),
    ],
)
def test_files_in_folders_beside_the_notebook_stay_there(course, collected, prefix, student):
    files = {
        f"{prefix}/{NAME}": A,
        f"{prefix}/utils.py": B,
        f"{prefix}/data/scale.txt": C,
        f"{prefix}/parts/__init__.py": b"x",
    }
    files[f"bob{prefix.removeprefix('ann').removeprefix('Ann Lee')}/{NAME}"] = A
    done = collected(files)
    assert done.unplaced == {} and student in students_of(done)
    mine = {path.partition(f"{WEEK}/")[2] for path in there(course) if path.startswith(f"{student}/")}
    assert mine == {NAME, "utils.py", "data/scale.txt", "parts/__init__.py"}
    assert collected(files).unplaced == {}


def test_a_file_in_place_of_a_folder_is_named_and_stops_nobody(course, collected):
    files = {f"ann/{NAME}": A, "ann/data": B, "ann/data/x.csv": C, f"bob/{NAME}": A, "bob/data/x.csv": C}
    done = collected(files)
    assert done.unplaced.keys() == {"ann/data/x.csv"}
    assert there(course)[f"bob/{WEEK}/data/x.csv"] == C
