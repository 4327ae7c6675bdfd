"""A class of forty, taken through a term's commands: one of each oddity, beside honest students with known points.

The notebooks are those of other tests: habits of `honest/`, breakages of `damage/`, attacks of `attacks/`, answers of
the demo's class. They come from ten platforms, and the class list has names, ids and lines as people really have them.
"""

import csv
import io
import json
import subprocess
import sys
from dataclasses import dataclass, field

import pytest
from archives import packed
from attacks.harness import PROBES, Attack, read_attacks
from attacks.harness import Submission as Attacker
from cases import load
from command import course_here, course_program
from damage.harness import Damage, make_folder, read_damages
from damage.harness import Submission as Damaged
from honest.honest_class import HABITS
from small_course import ROOT
from test_other_forms import marimo_app

from coursekit.course.config import Course, Week
from coursekit.engine.shared.result import Result

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

WEEK = "week1_attention"
FILE = "attention.ipynb"
Files = dict[str, bytes]  # what one student hands in: {name: bytes}

demo = load(ROOT / "demo" / "make_class.py")

FULL, SOFTMAX = 35.0, 6.0  # points of the questions with code, and of the first of them
HONEST = ["torch_compile", "values_of_subclasses", "timers_left", "restarts_of_the_runtime", "unused_imports"]
HONEST += ["cell_magics_on_answers", "processes", "written_answer"]
BROKEN = [
    "unbroken",
    "programs-cells_alone",
    "programs-colab_4_5",
    "file-gzipped",
    "file-utf_16_big_endian",
    "file-hole",
]
BROKEN += ["cells-answer_deleted", "answers-new_cell_after", "characters-smart_quotes", "file-login_page"]
ATTACKS = ["patching-builtins", "verdict-forged_replies", "verdict-settrace", "verdict-exit_codes"]
# Full marks in other styles, one mistake each, nothing done, the ready-made function, a kernel that dies.
DEMO = ["s02", "s07", "s08", "s10", "s12", "s14", "s18", "s21", "s25"]

# First name, last name, login. Numbers count up from here: Canvas' from 101, student numbers from 0048201.
PEOPLE = """
Jan|'t Hart|jthart
Mas'ud|Rabi'|mrabi
Robert 'Bob'|Smith|rsmith
Sinéad|O’Brien|sobrien
Łukasz|Żółć|lzolc
Anna-Lena|Müller|amueller
Văn A|Nguyễn|vnguyen
Jean-Luc|d'Arc|jdarc
Jan|van der Berg|jberg
Mai|Nguyen|mnguyen1
Mai|Nguyen|mnguyen2
小明|王|xwang
민준|김|mkim
Rick|Roe|r_roe
Suharto||suharto
Ömer|Çelik|ocelik
Jane|Doe|jdoe
Ana|de la Cruz|adelacruz
Ann|Lee|alee
Lee|Ann|lann
Ed|Ely|eely
Di|Fox|dfox
Cy|Day|cday
Kim|Minh|kminh
Per|Lund|plund1
Ida|Holm|iholm
Bo|Berg|bberg
Eva|Nowak|enowak
Tom|Hill|thill
Lea|Roth|lroth
Max|Kern|mkern
Zoe|Zhou|zzhou
Ali|Hasan|ahasan
Noa|Cohen|ncohen
Per|Lund|plund2
Lucía|García López|lgarcia
Amélie|Dupré|adupre
João|Silva|jsilva
Tim|Ray|tray
Pia|Quist|pquist
"""


@dataclass
class Person:
    """A student of the class.

    Attributes:
        kind: the case that their notebook is.
        files: what they hand in; {} if nothing.
        worth: its points; or the damage or the attack that it is.
    """

    id: str
    first: str
    last: str
    canvas: int
    number: str
    platform: str = ""
    kind: str = ""
    files: Files = field(default_factory=dict)
    worth: float | Damage | Attack = 0.0


def canvas(one: Person, name: str) -> str:
    letters = "".join(filter(str.isalnum, f"{one.last}{one.first}".lower()))
    return f"{letters}_{one.canvas}_9{one.canvas}_{name}"


PATHS = {
    "Canvas": canvas,
    "Moodle": lambda one, name: f"{one.first} {one.last}_70{one.canvas}_assignsubmission_file/{name}",
    "Moodle, groups": (
        lambda one, name: f"Group A-{one.first} {one.last}_80{one.canvas}_assignsubmission_file/{name}"
    ),
    "Blackboard": lambda one, name: f"Week 1_{one.id}_attempt_2027-03-05-10-21-33_{name}",
    "Brightspace": lambda one, name: f"{one.canvas}-77 - {one.first} {one.last} - Mar 5, 2027 1021 AM/{name}",
    "Sakai": lambda one, name: f"Week 1/{one.last}, {one.first}({one.id})/Submission attachment(s)/{name}",
    "Teams": lambda one, name: f"Submitted files/{one.first} {one.last}/Week 1/Version 1/{name}",
    "ILIAS": lambda one, name: f"m/{one.last}_{one.first}_{one.id}_{one.canvas}/20270305102133_{name}",
    "Gradescope": lambda one, name: f"submission_{one.canvas}/{name}",
    "nbgrader": lambda one, name: f"{one.id}/{WEEK}/{name}",
}


def beside(platform: str, people: list[Person]) -> Files:
    """What a platform puts beside the files."""
    match platform:
        case "Brightspace":
            return {"index.html": b"<html>Submissions</html>"}
        case "Sakai":
            return {"Week 1/grades.csv": b"ID,EID\n"}
        case "Blackboard":
            line = "Name: {0.first} {0.last} ({0.id})\n"
            return {
                PATHS["Blackboard"](one, ".txt").replace("_.txt", ".txt"): line.format(one).encode()
                for one in people
            }
        case "Gradescope":
            line = 'submission_{0.canvas}:\n  :submitters:\n  - :name: "{0.first} {0.last}"\n    :sid: {0.number}\n'
            return {"submission_metadata.yml": "".join(map(line.format, people)).encode()}
    return {}


def marked(data: bytes, student: str) -> bytes:
    """The notebook with a cell that says whose it is; as it is, if it is no notebook."""
    try:
        notebook = json.loads(data)
        notebook["cells"].insert(0, demo.text_cell("whose", f"Handed in by {student}."))
    except (ValueError, TypeError):
        return data
    return json.dumps(notebook).encode()


def oddities(material) -> dict[str, Files]:
    """{kind: what is handed in} by those whose code is right and who wrote an answer, each in a way of their own."""
    softmax, question = material.code("softmax_by_the_book"), "three-task"

    def with_softmax(source: str) -> Files:
        return demo.save(material.notebook(softmax=source, words=demo.WORDS["plain"]))

    def with_words(edit) -> Files:
        notebook = material.notebook()
        edit(notebook)
        return demo.save(notebook)

    def photo(notebook):
        picture = {"photo.png": {"image/png": PIXEL}}
        demo.find(notebook, "why_three").update(source="![](attachment:photo.png)", attachments=picture)

    def below(notebook):
        place = demo.place(notebook, "why_three") + 1
        notebook["cells"].insert(
            place, demo.code_cell("mine", "# " + demo.WORDS["plain"].replace("\n", "\n# "))
        )

    def in_the_question(notebook):
        demo.find(notebook, question)["source"] += "\n\n" + demo.WORDS["plain"]

    def databricks(notebook):
        for cell in notebook["cells"]:
            if cell["cell_type"] == "markdown":
                cell |= {"cell_type": "code", "source": f"%md\n{cell['source']}"}
            cell["metadata"] = {"application/vnd.databricks.v1+cell": {"showTitle": False}}
            del cell["id"]

    whole = material.notebook(words=demo.WORDS["plain"])
    cells = [(cell["cell_type"], cell["source"]) for cell in whole["cells"]]
    databricks(whole)
    return {
        "newer Python": with_softmax(softmax + "\nsizes = {'rows': 2}\nprint(f'rows: {sizes['rows']}')\n"),
        "unknown magic": with_softmax("%%memit\n" + softmax),
        "marimo": {"attention.py": marimo_app(cells).encode()},
        "databricks": demo.save(whole),
        "files beside": with_softmax(
            "from my_utils import same\nSCALE = float(open('scale.txt').read())\n"
            + softmax.replace("return ", "return SCALE * same(", 1).rstrip()
            + ")\n"
        )
        | {"my_utils.py": b"def same(x):\n    return x\n", "scale.txt": b"1.0"},
        "a photo": with_words(photo),
        "words below": with_words(below),
        "words in the question": with_words(in_the_question),
    }


# The smallest PNG there is.
PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="


def class_of(course: Course, week: Week) -> list[Person]:
    """The class, with what everybody hands in."""
    material = demo.Material(course)
    expected = json.loads((ROOT / "demo" / "expected.json").read_text(encoding="utf-8"))
    # The yardstick for those that are broken.
    unbroken = Damage(lambda submission: None, WEEK, (), "graded", (), ())
    damages = {"unbroken": unbroken} | {damage.student: damage for damage in read_damages()}
    habits = {habit.name: habit for habit in HABITS if habit.week == WEEK}
    attacks = {attack.student: attack for attack in read_attacks()}
    work: list[tuple[str, Files, float | Damage | Attack]] = []
    for name in BROKEN:
        submission = Damaged(course, week)
        damages[name].damage(submission)
        data = submission.text().encode() if submission.data is None else submission.data
        work.append((name, {submission.name: data}, damages[name]))
    for name, files in oddities(material).items():
        runs_here = name != "newer Python" or sys.version_info >= (3, 12)
        work.append((name, files, FULL if runs_here else FULL - SOFTMAX))
    work += [(name, {FILE: habits[name].notebook(course)}, FULL) for name in HONEST]
    for name in ATTACKS:
        attacker = Attacker(course.master(week), name, None)
        attacks[name].put_into(attacker)
        work.append((name, {FILE: json.dumps(attacker.notebook).encode()}, attacks[name]))
    work += [(name, demo.CLASS[name](material), expected[name]["score"]) for name in DEMO]
    people = []
    for place, line in enumerate(PEOPLE.split("\n")[1:-1]):
        first, last, login = line.split("|")
        one = Person(login, first, last, 101 + place, f"00{48201 + place}")
        if place < len(work):
            one.kind, files, one.worth = work[place]
            one.platform = list(PATHS)[place % len(PATHS)]
            one.files = {name: marked(data, one.id) for name, data in files.items()}
        people.append(one)
    return people


# Whose lines of the roster cannot be read, and who has the name of another and handed in where there are only names.
UNREAD, NAMESAKES = ["dfox", "mkern"], ["plund1", "plund2"]
ABSENT = ["pquist"]
NOBODYS = f"Former Student_70999_assignsubmission_file/{FILE}"


def roster_of(people: list[Person]) -> str:
    out = io.StringIO()
    table = csv.writer(out)
    table.writerow(["id", "last name", "first name", "login", "student number", "canvas id", "tutor"])
    for one in people:
        shown = "" if one.id == UNREAD[0] else one.id
        tutor = [] if one.id == UNREAD[1] else ["Jane Doe" if one.id in ("lzolc", "eely") else ""]
        table.writerow([shown, one.last, one.first, shown, one.number, one.canvas, *tutor])
    return out.getvalue()


@dataclass
class Term:
    """The class, and what each command came to."""

    course: Course
    week: Week
    people: list[Person]
    collected: dict[str, dict]
    commands: dict[str, subprocess.CompletedProcess]

    @property
    def graded(self) -> list[Person]:
        return [one for one in self.people if one.id not in (*UNREAD, *NAMESAKES, *ABSENT)]

    def result(self, student: str) -> Result:
        return Result.read(self.course.autograded(student, self.week) / "result.json")


@pytest.fixture(scope="module")
def term(tmp_path_factory):
    course = make_folder(tmp_path_factory.mktemp("forty") / "course")
    week = course.week(WEEK)
    people = class_of(course, week)
    (course.root / "roster.csv").write_text(roster_of(people), encoding="utf-8")
    collected, commands = {}, {}
    for platform, path in PATHS.items():
        some = [one for one in people if one.platform == platform]
        files = {path(one, name): data for one in some for name, data in one.files.items()}
        files |= beside(platform, some) | ({NOBODYS: b"{}"} if platform == "Moodle" else {})
        download = course.root.parent / f"{platform}.zip"
        download.write_bytes(packed(files)[1])
        done = commands[f"collect {platform}"] = course_here(
            course.root, "collect", WEEK, str(download), "--json"
        )
        collected[platform] = json.loads(done.stdout)
    sheet = course.root.parent / "gradebook.csv"
    lines = [f"Student,ID,SIS User ID,SIS Login ID,Section,{WEEK} (77)", "    Points Possible,,,,,39"]
    lines += [f"x,{one.canvas},{one.number},{one.id},A," for one in people[1:]]  # the first one has left
    sheet.write_text("\n".join(lines) + "\n", encoding="utf-8")
    for words in (
        ["grade", WEEK, "--workers", "2", "--json"],
        ["feedback", WEEK],
        ["review", WEEK, "--names"],
        ["export", WEEK],
        ["export", WEEK, "--to", "canvas", "--into", str(sheet)],
    ):
        commands[" ".join(words[:1] + words[3:4])] = course_program(course.root, *words)
    return Term(course, week, people, collected, commands)


def test_everybody_has_their_own_files_or_is_named(term):
    contents = [data for one in term.people for data in one.files.values()]
    assert len(set(contents)) == len(contents) and len(term.people) == 40
    left_out = {path for done in term.collected.values() for path in done["unplaced"]}
    for one in term.people:
        folder = term.course.submitted(one.id, term.week)
        found = {path.read_bytes() for path in folder.rglob("*") if path.is_file()} - {b""}
        if one in term.graded:
            assert found >= set(one.files.values()), one.kind
            assert found.isdisjoint(
                data for other in term.people if other != one for data in other.files.values()
            )
        else:
            assert not found and {PATHS[one.platform](one, name) for name in one.files} <= left_out
    assert NOBODYS in left_out
    assert {path.name for path in (term.course.root / "submitted").iterdir()} == {
        one.id for one in term.graded
    }


def test_everybody_has_a_result_with_their_points(term):
    undamaged = {item.id: item.score or 0.0 for item in term.result(term.people[0].id).questions}
    assert FULL - 3 <= sum(undamaged.values()) < FULL, "one of its answers is partly wrong"
    for one in term.graded:
        result = term.result(one.id)
        scores = {item.id: item.score or 0.0 for item in result.questions}
        failed = [(test.id, test.message) for test in result.tests if test.outcome != "passed"]
        match one.worth:
            case Damage() as damage if damage.status == "unreadable":
                assert result.status == "unreadable" and result.score == 0
            case Damage() as damage:
                assert scores == undamaged | dict.fromkeys(damage.lost, 0.0), one.kind
            case Attack() as attack:
                most = {item.id: item.max_score / PROBES * attack.forges for item in result.questions}
                assert all(score <= most[name] for name, score in scores.items()), one.kind
            case points:
                assert result.score == points, (one.kind, failed)
                if one.kind == "newer Python":
                    assert bool(result.flags) == (points < FULL)
                if one.kind in oddities(demo.Material(term.course)):
                    assert next(item for item in result.questions if item.id == "why_three").score is None


def test_each_command_says_what_is_left(term):
    codes = {name: done.returncode for name, done in term.commands.items()}
    assert codes == {f"collect {platform}": 1 for platform in PATHS} | {
        "grade 2": 1,
        "feedback": 0,
        "review": 0,
        "export": 0,
        "export canvas": 1,
    }, [done.stderr[-1000:] for done in term.commands.values()]
    answer = json.loads(term.commands["grade 2"].stdout)[WEEK]
    assert set(answer["graded"]) == {one.id for one in term.graded}
    assert (answer["failed"], answer["faulty"], answer["unrecorded"]) == ({}, [], "")
    assert set(answer["missing"]) == {*NAMESAKES, *ABSENT} and len(answer["roster_problems"]) == len(UNREAD)
    assert term.people[0].id in term.commands["export canvas"].stderr


def test_pages_and_tables_have_everybody(term):
    report = (term.course.root / "reports" / WEEK / "index.html").read_text(encoding="utf-8")
    listed = {one.id for one in term.people} - set(UNREAD)
    assert 'id="roster"' in report and all(f"<bdi>{student}</bdi>" in report for student in listed)
    for one in term.graded:
        assert (term.course.feedback(one.id, term.week) / "attention.html").is_file()
    rows = {row["student"]: row for row in csv.DictReader(io.StringIO(term.commands["export"].stdout))}
    assert set(rows) == listed
    sheet = {row["ID"]: row for row in csv.DictReader(io.StringIO(term.commands["export canvas"].stdout))}
    for one in term.people:
        if one in term.graded:
            mark = f"{term.result(one.id).score:g}"
            assert rows[one.id]["score"] == mark
            assert one is term.people[0] or sheet[str(one.canvas)][f"{WEEK} (77)"] == mark
        elif one.id in rows:
            assert (rows[one.id]["status"], rows[one.id]["score"]) == ("missing", "")
