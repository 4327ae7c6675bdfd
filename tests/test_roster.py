"""Who handed in what: nobody's file goes to another, whatever a class list and a download look like."""

import csv
import io
import tempfile
from dataclasses import dataclass
from pathlib import Path

import pytest
from archives import collected
from hypothesis import given, settings
from hypothesis import strategies as st
from small_course import make_course

from coursekit.course.roster import read_roster
from coursekit.course.roster_columns import Evidence
from coursekit.engine.shared.errors import CourseError

NAME = "attention.ipynb"


def placed(done):
    return {one.student: one.file for one in done.students}


def canvas(name, number):
    return f"{name}_{number}_9000_{NAME}"


def moodle(name, number=7001):
    return f"{name}_{number}_assignsubmission_file/{NAME}"


APOSTROPHES = "id,name,canvas\nthart,'t Hart Jan,101\nrabi,Rabi',102\njdoe,Jane Doe,103\n"
NICKNAMES = (
    "id,last name,first name,canvas\njthart,'t Hart,Jan,101\njdoe,Doe,Jane,102\n"
    "rsmith,Smith,Robert 'Bob',103\nrroe,Roe,Rick,104\n"
)
ACCENTS = (
    "id;Nachname;Vorname;email\n1;O’Brien;Sinéad;a@x.org\n2;Zolc;Lukasz;b@x.org\n3;Mueller;Anna-Lena;c@x.org\n"
    "4;Nguyễn Văn;A;d@x.org\n5;d'Arc;Jean-Luc;e@x.org\n"
)
ANA_AND_JANE = "student id,name\n48213,Ana Diaz\n50110,Jane Doe\n"
SWALLOWED = 'id,name,canvas\nann,"Ann Lee,101\nbo,Bo "Bobby" Roe",102\ncy,Cy Day,103\ndi,Di Fox,104\n'

# Kind: the roster, the names of the files, and whose folder each goes to; None if it must not be placed.
CASES = {
    "apostrophes": (
        APOSTROPHES,
        {canvas("thartjan", 101): "thart", canvas("rabi", 102): "rabi", canvas("doejane", 103): "jdoe"},
    ),
    "nicknames": (NICKNAMES, {canvas("smithrobert", 103): "rsmith", canvas("roerick", 104): "rroe"}),
    "nicknames, by name alone": (
        NICKNAMES,
        {moodle("Robert Smith"): "rsmith", moodle("Jan 't Hart", 7002): "jthart"},
    ),
    "an apostrophe before a number": ("id,name,note\na,Ann,'27\nb,Bo,x'\nc,Cy,\n", {moodle("Bo"): "b"}),
    "accents": (
        ACCENTS,
        {
            moodle("Sinéad O'Brien"): "1",
            moodle("Łukasz Żółć", 7002): "2",
            moodle("Anna-Lena Müller", 7003): "3",
            moodle("Nguyễn Văn A", 7004): "4",
            moodle("Jean-Luc d’Arc", 7005): "5",
        },
    ),
    "the letters of another's name, with the words divided elsewhere": (
        "id,name\na,Anna Lee\nm,Marie-Ann O'Dell\nk,Lee Kim\n",
        {
            moodle("Ann Alee"): None,
            moodle("Marie Anno Dell", 7002): None,
            moodle("Leek Im", 7003): None,
            moodle("MarieAnn Odell", 7004): "m",
            moodle("Kim Lee", 7005): "k",
        },
    ),
    "two who differ by an accent": (
        "id,name\na,Muller\nb,Müller\n",
        {moodle("Müller"): "b", moodle("Muller", 7002): "a"},
    ),
    "a student number that is another's number on Canvas": (
        ANA_AND_JANE,
        {canvas("doejane", 48213): "50110"},
    ),
    "the same, and the name says nothing": (ANA_AND_JANE, {canvas("janie", 48213): None}),
    "a number and a name that disagree": ("id,name,canvas\na,Ana,1\nj,Jane,2\n", {canvas("jane", 1): None}),
    "a name with another number": ("id,name,canvas\na,Ana,1\nj,Jane,2\n", {canvas("jane", 3): None}),
    "a name with a comma, and an empty cell at the end": (
        "name,id,canvas,note\nBo,7,101,\nDoe, Jane,8,7,\n",
        {canvas("bo", 101): "7", canvas("x", 8): None, canvas("doejane", 7): None},
    ),
    "an address and a name that disagree": (
        "Name,SID,Email\nAna,1,a@x.org\nJane,2,j@x.org\n",
        {
            "submission_metadata.yml": "",
            f"submission_1/{NAME}": None,
        },
    ),
    "a line that is cut off": (
        "id,name,canvas\na,Ana,1\nj,Jane\n",
        {canvas("ana", 1): "a", canvas("jane", 2): None},
    ),
    "a name with a comma": (
        "id,name,canvas\na,Ana,1\nj,Doe, Jane,2\n",
        {canvas("ana", 1): "a", canvas("doejane", 2): None},
    ),
    "a quotation mark that is not closed": (
        SWALLOWED,
        {canvas("daycy", 103): "cy", canvas("foxdi", 104): "di"},
    ),
    "a cell with two lines": (
        'id,name\na,"Ann\nLee"\nb,Bo\n',
        {moodle("Ann Lee"): None, moodle("Bo", 2): "b"},
    ),
    "a note with two lines": ('id,name,extension,note\na,Ann,2,"one\ntwo"\nb,Bo,,\n', {moodle("Ann"): "a"}),
    "no id": (
        "Name,SID,Email\nJane Doe,12345,j@x\nRick Roe,,r@x\n",
        {moodle("Jane Doe"): "12345", moodle("Rick Roe", 2): None},
    ),
    "German": (
        "Matrikelnummer;Vorname;Nachname;E-Mail-Adresse\n17;Jane;Doe;j@x\n",
        {moodle("Jane Doe"): "17"},
    ),
    "French": ("Nom;Prénom;Numéro d'identification\nDoe;Jane;17\n", {moodle("Jane Doe"): "17"}),
    "Spanish": ("Nombre;Apellido(s);Número de ID\nJane;Doe Roe;17\n", {moodle("Jane Doe Roe"): "17"}),
    "Italian": ("Nome;Cognome;id\nJane;Doe;17\n", {moodle("Jane Doe"): "17"}),
    "Polish": ("Imię;Nazwisko;id\nŁucja;Nowak;17\n", {moodle("Łucja Nowak"): "17"}),
    "tabs": ("id\tname\n17\tDoe, Jane\n", {moodle("Jane Doe"): "17"}),
    "commas in a list with semicolons": ("id;name\n17;Doe, Jane\n18;Roe, Rick\n", {moodle("Rick Roe"): "18"}),
    "a spreadsheet's first line": ("sep=;\nid;name\n17;Jane Doe\n", {moodle("Jane Doe"): "17"}),
    "UTF-16": ("id\tname\n17\tJane Doe\n".encode("utf-16"), {moodle("Jane Doe"): "17"}),
    "empty columns at the end": (
        "id,name,,\n17,Jane Doe,,\n18,Rick Roe\n19,Ed Ely,,\n",
        {moodle("Rick Roe"): "18"},
    ),
    "leading zeros that a spreadsheet dropped": (
        "Name,SID\nJane Doe,12345\n",
        {
            "submission_metadata.yml": "submission_1:\n  :submitters:\n  - :name: Janie\n    :sid: '0012345'\n",
            f"submission_1/{NAME}": "12345",
        },
    ),
    "a number that YAML would read as octal": (
        "Name,SID\nAna Diaz,0012347\nRick Roe,5351\n",
        {
            "submission_metadata.yml": "submission_1:\n  :submitters:\n  - :name: Anita\n    :sid: 0012347\n",
            f"submission_1/{NAME}": "0012347",
        },
    ),
    "a tutor, who is no student": ("id,name,tutor\na,Ana,Jane Doe\nb,Bo,\n", {moodle("Jane Doe"): None}),
    "partners": (
        "id,name,partner\na,Ana,Bo Roe\nb,Bo Roe,Ana\n",
        {moodle("Bo Roe"): "b", moodle("Ana", 7002): "a"},
    ),
    "a nickname": ("id,name,nickname\na,Ana Diaz,Anita\nb,Bo,\n", {moodle("Anita"): "a"}),
    "an address that begins with another's login": (
        "id,name,email\nr,Rick Roe,jdoe@mail.example\nj,Jane Doe,jane@uni.example\n",
        {f"Week 1_jdoe_attempt_2027-03-05-10-21-33_{NAME}": None},
    ),
    "a comma in the header of a list with semicolons": (
        "Surname, first name;id;name\nx;1;Ann Lee\n",
        {moodle("Ann Lee"): "1"},
    ),
    "numbers that a spreadsheet has rounded": (
        "SID,name\n4.82E+08,Ann Lee\n1,23E+05,Cy\n12345,Bo\n",
        {moodle("Ann Lee"): None, moodle("Bo", 7002): "12345"},
    ),
    "ids that no folder can have": (
        'id,name\n"=""017""",Ann\n\u200b18,Cy\n#19,Di\nCS 20,Ed\n21,Bo\n',
        {moodle("Ann"): None, moodle("Cy", 2): None, moodle("Di", 3): None, moodle("Ed", 4): None}
        | {moodle("Bo", 5): "21"},
    ),
    "composed and decomposed letters": (
        "id,name\nJose\u0301,Jose\u0301 Li\n",
        {moodle("Jos\u00e9 Li"): "Jos\u00e9"},
    ),
    "Brightspace's export": (
        "OrgDefinedId,Username,Last Name,First Name,End-of-Line Indicator\n#17,#jdoe,Doe,Jane,#\n",
        {f"1-2 - Jane Doe - Mar 5, 2027 1021 AM/{NAME}": "17"},
    ),
    "Blackboard's export": (
        "Last Name\tFirst Name\tUsername\tStudent ID\tAvailability\nDoe\tJane\tjdoe\t17\tYes\n".encode(
            "utf-16"
        ),
        {f"Week 1_jdoe_attempt_2027-03-05-10-21-33_{NAME}": "17"},
    ),
    "Canvas' gradebook with first and last names": (
        "LastName,FirstName,ID,SIS User ID,SIS Login ID,Section\n    Points Possible,,,,,\nDoe,Jane,101,u1,jdoe,A\n"
        "Student,Test,102,,3f2a1b,A\n",
        {canvas("janie", 101): "jdoe", canvas("x", 102): None},
    ),
    "right to left": (
        "id,name\n1,\u200f\u05de\u05e9\u05d4 \u05db\u05d4\u05df\n2,\u0639\u0644\u064a \u062d\u0633\u0646\n",
        {
            moodle("\u05de\u05e9\u05d4 \u05db\u05d4\u05df"): "1",
            moodle("\u062d\u0633\u0646 \u0639\u0644\u064a\u200f", 7002): "2",
        },
    ),
    "the family name first": (
        "id,name\n1,王 小明\n2,김 민준\n3,Nguyễn Thị Minh Khai\n",
        {moodle("小明 王"): "1", moodle("민준 김", 2): "2", moodle("Khai Nguyễn Thị Minh", 3): "3"},
    ),
    "spaces around what was typed": ("id,name\njdoe,Jane Doe\n", {"week1_attention__ jdoe .ipynb": "jdoe"}),
    "one name alone": ("id,first name,last name\n1,Suharto,\n", {moodle("Suharto ."): "1"}),
    "particles": (
        'id,name\n1,"Berg, Jan van der"\n2,"de la Cruz, Ana"\n',
        {moodle("Jan van der Berg"): "1", moodle("Ana de la Cruz", 2): "2"},
    ),
    "a new name": ("id,name,canvas\n1,Jane Doe,101\n", {canvas("smithjane", 101): "1"}),
    "two with one name": (
        "id,name,canvas\n1,Jane Doe,101\n2,Jane Doe,102\n",
        {canvas("doejane", 101): "1", canvas("doejane", 102): "2", moodle("Jane Doe"): None},
    ),
    "line ends of an old Mac": ("id,name\r1,Ann\r2,Bo\r", {moodle("Bo"): "2"}),
    "Canvas' gradebook without logins": (
        'Student,ID,Section\n"Doe, Jane",101,A\n"Roe, Rick",102,A\n',
        {canvas("x", 101): "101"},
    ),
    "ids that are Canvas' numbers": ("canvas id,name\n101,Jane Doe\n", {canvas("janie", 101): "101"}),
}
CASES["an address and a name that disagree"][1]["submission_metadata.yml"] = (
    "submission_1:\n  :submitters:\n  - :name: Jane\n    :email: a@x.org\n"
)


@pytest.mark.parametrize("kind", CASES)
def test_a_file_goes_to_its_student_or_to_nobody(tmp_path, kind):
    roster, expected = CASES[kind]
    contents = {name: student if name.endswith(".yml") else name for name, student in expected.items()}
    done = collected(tmp_path, {name: text.encode() for name, text in contents.items()}, roster)
    whose = {name: student for name, student in expected.items() if not name.endswith(".yml")}
    assert {file: student for student, file in placed(done).items()} == {
        name: student for name, student in whose.items() if student
    }
    assert set(done.unplaced) == {name for name, student in whose.items() if student is None}


def test_both_pieces_of_evidence_are_named(tmp_path):
    done = collected(tmp_path, {canvas("jane", 1): b"x"}, "id,name,canvas\na,Ana,1\nj,Jane,2\n")
    (why,) = done.unplaced.values()
    assert "the number '1' of Canvas leads to a" in why and "'jane' leads to j" in why


@pytest.mark.parametrize(
    ("roster", "problem"),
    [
        (
            "id,name,canvas\na,Ana,1\nj,Jane\n",
            "line 3, is no student's: it has 2 cells, and the first line has 3",
        ),
        ("Name,SID\nJane,1\nRick Roe,\n", "line 3, is no student's: it has no SID"),
        ('id,name\na,"Ann\nLee"\nb,Bo\n', "line 3, is no student's: one of its cells has more than one line"),
    ],
)
def test_a_line_that_is_no_students_is_named(tmp_path, roster, problem):
    (sentence,) = problems_of(tmp_path, roster)
    assert problem in sentence


def problems_of(root, roster):
    course, _ = make_course(root)
    (root / "roster.csv").write_text(roster)
    return read_roster(course, root / "roster.csv").problems


def test_a_very_long_name_is_read_once(tmp_path):
    """A platform's metadata may hold any name, and to try all its parts would take hours."""
    course, _ = make_course(tmp_path)
    (tmp_path / "roster.csv").write_text("id,name\nbo,Bo\n,a aa aaa\n")
    roster = read_roster(course, tmp_path / "roster.csv")
    student, why = roster.student([Evidence("typed", "a" * 60_000 + "b")])
    assert student == "" and "no student in the roster has" in why


def test_lines_of_canvas_that_are_nobodys_are_left_out(tmp_path):
    assert (
        problems_of(
            tmp_path,
            "Student,ID,SIS Login ID,Section,Week 1\n,,,,Manual Posting\n    Points Possible,,,,10\n"
            '"Doe, Jane",1,jd,A,\n"Student, Test",9,3f2a1b,A,\n',
        )
        == []
    )


@dataclass(frozen=True)
class Person:
    """A student, as the platform knows them."""

    id: str
    name: tuple[str, str]  # first, last
    canvas: str
    number: str
    email: str
    login: str


FIRST = ["Ann", "Jan", "'t", "Anna-Lena", "O'Neil", "Robert 'Bob'", "Sinéad", "Rabi'", "Mas'ud", "Ömer", "A"]
LAST = ["Lee", "Doe", "'t Hart", "Müller", "Mueller", "Nguyễn Văn", "d'Arc", "Żółć", "Lee Doe", "A"]
NUMBERS = [str(number) for number in range(98, 110)] + ["0101", "00102"]

LOGINS = ["alee", "jdoe", "ann", "b", "c_lee", "lee", "101"]
EMAILS = [f"{name}@x.org" for name in LOGINS]
PLATFORMS = [
    "Canvas",
    "Moodle",
    "Gradescope",
    "hand_in",
    "Blackboard",
    "Brightspace",
    "Sakai",
    "Teams",
    "ILIAS",
]


@st.composite
def classes(draw):
    """Draw a class, its roster with a few damaged lines, and a download of one file each."""
    size = draw(st.integers(1, 6))
    distinct = {"unique": True, "min_size": size, "max_size": size}
    ids = draw(st.lists(st.sampled_from([*NUMBERS, "alee", "jdoe", "x1", "ann", "lee"]), **distinct))
    canvas_numbers = draw(st.lists(st.sampled_from(NUMBERS[:12]), **distinct))
    numbers = draw(st.lists(st.sampled_from(NUMBERS), **distinct))
    emails = draw(st.lists(st.sampled_from(EMAILS), **distinct))
    logins = draw(st.lists(st.sampled_from(LOGINS), **distinct))
    names = draw(
        st.lists(st.tuples(st.sampled_from(FIRST), st.sampled_from(LAST)), min_size=size, max_size=size)
    )
    people = [
        Person(*values) for values in zip(ids, names, canvas_numbers, numbers, emails, logins, strict=True)
    ]
    columns = {
        "id": [one.id for one in people],
        draw(st.sampled_from(["canvas", "Canvas ID"])): [one.canvas for one in people],
        draw(st.sampled_from(["student number", "Matrikelnummer", "SIS User ID"])): [
            one.number for one in people
        ],
        "email": [one.email for one in people],
        "login": [one.login for one in people],
        "tutor": [draw(st.sampled_from(["", "Ann Lee", "Rabi' d'Arc", "A A"])) for _ in people],
        "section": [draw(st.sampled_from(["A", "101", "Lee", "x's"])) for _ in people],
    }
    if draw(st.booleans()):
        columns |= {
            "first name": [one.name[0] for one in people],
            "last name": [one.name[1] for one in people],
        }
    else:
        columns["name"] = [draw(st.sampled_from(["{1}, {0}", "{0} {1}"])).format(*one.name) for one in people]
    kept = ["id", *draw(st.lists(st.sampled_from(sorted(set(columns) - {"id"})), unique=True))]
    order = draw(st.permutations(kept))
    rows = [[columns[name][number] for name in order] for number in range(size)]
    for row in rows:
        damage = draw(st.sampled_from(["", "", "", "", "short", "long", "no id"]))
        if damage == "short" and len(row) > 1:
            row.pop(draw(st.integers(0, len(row) - 1)))
        elif damage == "long":
            row.insert(draw(st.integers(0, len(row))), draw(st.sampled_from(["x", "101"])))
        elif damage == "no id":
            row[order.index("id")] = ""
    delimiter = draw(st.sampled_from(",;\t"))
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter).writerows([order, *rows])
    return people, out.getvalue(), draw(st.sampled_from(PLATFORMS))


def downloaded(people, platform):
    """Return {file: bytes} of a download, and {file: its student}."""
    files, whose, metadata = {}, {}, []
    for place, one in enumerate(people):
        first, last = one.name
        full = f"{first} {last}"
        if platform == "Canvas":
            letters = "".join(letter for letter in f"{last}{first}".lower() if letter.isalnum())
            name = canvas(letters, one.canvas)
        elif platform == "Moodle":
            name = moodle(full, 7000 + place)
        elif platform == "Gradescope":
            name = f"submission_{place}/{NAME}"
            metadata.append(
                f'submission_{place}:\n  :submitters:\n  - :name: "{full}"\n    :sid: {one.number}\n'
                f"    :email: {one.email}\n"
            )
        elif platform == "Blackboard":
            name = f"Week_1_{one.login}_attempt_2027-03-05-10-21-33_{NAME}"
            if place % 2:
                files[f"Week_1_{one.login}_attempt_2027-03-05-10-21-33.txt"] = (
                    f"Name: {full} ({one.login})".encode()
                )
        elif platform == "Brightspace":
            name = f"{100 + place}-7 - {full} - Mar 5, 2027 1021 AM/{NAME}"
        elif platform == "Sakai":
            name = f"Week 1/{last}, {first}({one.login})/Submission attachment(s)/{NAME}"
        elif platform == "Teams":
            name = f"{full}/Week 1/Version 1/{NAME}"
        elif platform == "ILIAS":
            name = f"{last}_{first}_{one.login}_{place}/20270305102133_{NAME}"
        else:
            name = f"week1_attention__{one.id}.ipynb"
        files[name], whose[name] = name.encode(), one.id
    if metadata:
        files["submission_metadata.yml"] = "".join(metadata).encode()
    return files, whose


def nobody_gets_anothers(drawn):
    people, roster, platform = drawn
    files, whose = downloaded(people, platform)
    with tempfile.TemporaryDirectory() as folder:
        try:
            done = collected(Path(folder), files, roster)
        except CourseError:
            return  # nothing was placed, and the sentence says why
        for one in done.students:
            there = Path(folder, "submitted", one.student, "week1_attention", NAME)
            if there.exists():
                assert whose[there.read_bytes().decode()] == one.student, (roster, platform)
        assert {one.file for one in done.students} | set(done.unplaced) >= set(whose)


@given(classes())
@settings(deadline=None, max_examples=60)
def test_nobody_gets_the_file_of_another(drawn):
    nobody_gets_anothers(drawn)


@pytest.mark.slow
@given(classes())
@settings(deadline=None, max_examples=2000)
def test_nobody_gets_the_file_of_another_in_two_thousand_classes(drawn):
    nobody_gets_anothers(drawn)
