"""Downloads of learning platforms: whose each file is, which attempt counts, and what nobody handed in."""

import pytest
from archives import NAME, WEEK, collected, notebook

A, B, C, D = (notebook(letter) for letter in "abcd")
JANE, RICK = b"Name: Jane Doe (jdoe)\nAssignment: Week 1\n", b"Name: Rick Roe (r_roe)\nAssignment: Week 1\n"
ROSTER = "id,name,login\njane,Jane Doe,jdoe\nrick,Rick Roe,rroe\n"
ATTEMPT = "attempt_2027-03-{}-10-21-33"
MOODLE = "_{}_assignsubmission_file/" + NAME

# Layout: the download's files, whose notebook is graded with a roster, whose without one, and what is not placed.
DOWNLOADS = {
    "Blackboard": (
        {
            f"Week 1_jdoe_{ATTEMPT.format('05')}_{NAME}": A,
            f"Week 1_jdoe_{ATTEMPT.format('05')}.txt": JANE,
            f"Week 1_jdoe_{ATTEMPT.format('06')}_{NAME}": B,
            f"Week 1_jdoe_{ATTEMPT.format('06')}.txt": JANE,
            f"Week 1_rroe_{ATTEMPT.format('05')}_{NAME}": C,
        },
        {"jane": B, "rick": C},
        {"jdoe": B, "rroe": C},
    ),
    "Blackboard, underscores": (
        {
            f"Week_1_jdoe_{ATTEMPT.format('05')}_{NAME}": A,
            f"Week_1_r_roe_{ATTEMPT.format('05')}_{NAME}": B,
            f"Week_1_r_roe_{ATTEMPT.format('05')}.txt": RICK,
        },
        {"jane": A, "rick": B},
        {"jdoe": A, "r_roe": B},
    ),
    "Blackboard, one student": ({f"Week 1_jdoe_{ATTEMPT.format('05')}_{NAME}": A}, {"jane": A}, {"jdoe": A}),
    "Brightspace": (
        {
            f"12345-67890 - Jane Doe - Mar 5, 2027 1021 PM/{NAME}": A,
            f"12345-67890 - Jane Doe - Mar 10, 2027 1130 AM/{NAME}": B,
            f"12346-67890 - Rick Roe - Mar 5, 2027 900 AM/{NAME}": C,
            "index.html": b"<html>Submissions</html>",
        },
        {"jane": B, "rick": C},
        {"Jane-Doe": B, "Rick-Roe": C},
    ),
    "Sakai": (
        {
            f"Week 1/Doe, Jane(jdoe)/Submission attachment(s)/{NAME}": A,
            "Week 1/Doe, Jane(jdoe)/timestamp.txt": b"20270305102133000",
            "Week 1/Doe, Jane(jdoe)/comments.txt": b"",
            f"Week 1/Roe, Rick(rroe)/Submission attachment(s)/{NAME}": B,
            "Week 1/Roe, Rick(rroe)/Roe, Rick(rroe)_submissionText.html": b"<p>Hello</p>",
            "Week 1/grades.csv": b"ID,EID\njdoe,jdoe\n",
        },
        {"jane": A, "rick": B},
        {"jdoe": A, "rroe": B},
    ),
    "ILIAS": (
        {
            f"multi/Doe_Jane_jdoe_312/20270305102133_{NAME}": A,
            f"multi/Doe_Jane_jdoe_312/20270306102133_{NAME}": B,
            f"multi/Roe_Rick_rroe_77/20270306102133_{NAME}": C,
        },
        {"jane": B, "rick": C},
        {"Doe_Jane_jdoe": B, "Roe_Rick_rroe": C},
    ),
    "Teams": (
        {
            f"Submitted files/Jane Doe/Week 1/Version 10/{NAME}": B,
            f"Submitted files/Jane Doe/Week 1/Version 2/{NAME}": A,
            f"Submitted files/Jane Doe/Week 1/Version 9/{NAME}": D,
            f"Submitted files/Rick Roe/Week 1/Version 1/{NAME}": C,
        },
        {"jane": B, "rick": C},
        {"Jane-Doe": B, "Rick-Roe": C},
    ),
    "Moodle, groups": (
        {f"Group A-Jane Doe{MOODLE.format(1)}": A, f"Group B-Rick Roe{MOODLE.format(2)}": B},
        {"jane": A, "rick": B},
        {"Jane-Doe": A, "Rick-Roe": B},
    ),
    "Sakai, a name in brackets": (
        {
            f"Week 1/Doe, Jane (Janie)(jdoe)/Submission attachment(s)/{NAME}": A,
            f"Week 1/Roe, Rick(jdoe)(rroe)/Submission attachment(s)/{NAME}": B,
        },
        {"jane": A, "rick": B},
        {"jdoe": A, "rroe": B},
    ),
    "Blackboard, a file that is called like another's": (
        {
            f"Week 1_rroe_{ATTEMPT.format('05')}_x_jdoe_{ATTEMPT.format('09')}_{NAME}": A,
            f"Week 1_rroe_{ATTEMPT.format('05')}_x_jdoe_{ATTEMPT.format('09')}.txt": JANE,
            f"Week 1_jdoe_{ATTEMPT.format('05')}_{NAME}": B,
        },
        {"jane": B, "rick": A},
        {"jdoe": B, "rroe": A},
    ),
    "Moodle, a file that is called like another's": (
        {
            f"Rick Roe{MOODLE.format('2_assignsubmission_file/Jane Doe_1').replace(NAME, 'x/' + NAME)}": A,
            f"Jane Doe{MOODLE.format(1)}": B,
        },
        {"jane": B, "rick": A},
        {"Jane-Doe": B, "Rick-Roe": A},
    ),
    "Sakai, and a notebook that came by mail": (
        {
            f"Week 1/Doe, Jane(jdoe)/Submission attachment(s)/{NAME}": A,
            "week1_attention__rick.ipynb": B,
        },
        {"jane": A, "rick": B},
        {"jdoe": A, "rick": B},
    ),
    "Teams, and a notebook that came by mail": (
        {
            f"Submitted files/Jane Doe/Week 1/Version 10/{NAME}": B,
            f"Submitted files/Jane Doe/Week 1/Version 9/{NAME}": A,
            "Submitted files/week1_attention__rick.ipynb": C,
        },
        {"jane": B, "rick": C},
        {"Jane-Doe": B, "rick": C},
    ),
    "Google Drive, copies in other languages": (
        {
            "Копия attention - Jane Doe.ipynb": A,
            "attention のコピー - Rick Roe.ipynb": B,
        },
        {"jane": A, "rick": B},
        {"Jane-Doe": A, "Rick-Roe": B},
    ),
    "a folder each, and files of the course": (
        {
            f"class/Jane Doe/{NAME}": A,
            "class/Jane Doe/~$report.docx": b"open in Word",
            f"class/Rick Roe/{NAME}": B,
            "class/Rick Roe/scale.txt": b"2",
        },
        {"jane": A, "rick": B},
        {"Jane-Doe": A, "Rick-Roe": B},
    ),
    "Google Drive, copies": (
        {
            f"Copy of Copy of {NAME.removesuffix('.ipynb')} - Jane Doe.ipynb": A,
            "Kopie von attention – Rick Roe.ipynb": B,
            f"Jane Doe - {NAME} (1)": C,
        },
        {"jane": C, "rick": B},
        {"Jane-Doe": C, "Rick-Roe": B},
    ),
}


@pytest.mark.parametrize("layout", DOWNLOADS)
@pytest.mark.parametrize("with_roster", [True, False])
def test_each_student_has_the_last_attempt(tmp_path, layout, with_roster):
    files, known, unknown = DOWNLOADS[layout]
    roster = ROSTER.replace("rroe", "r_roe") if "underscores" in layout else ROSTER
    done = collected(tmp_path, files, roster if with_roster else "")
    expected = known if with_roster else unknown
    assert {one.student for one in done.students} == set(expected) and done.unplaced == {}
    paths = {student: tmp_path / "submitted" / student / WEEK / NAME for student in expected}
    assert {student: path.read_bytes() for student, path in paths.items()} == expected


@pytest.mark.parametrize(
    ("files", "roster"),
    [
        # Moodle: two first names are no group, although the second is another student's.
        ([f"Anna-Lena Doe{MOODLE.format(1)}"], "id,name\nlena,Lena Doe\n"),
        # Blackboard: a user name with an underscore, whose end is another student's.
        (
            [f"Week 1_j_doe_{ATTEMPT.format('05')}_{NAME}", f"Week 1_roe_{ATTEMPT.format('05')}_{NAME}"],
            "id,login\nd,doe\n",
        ),
        # And where the user names begin alike.
        (
            [f"Week 1_j_doe_{ATTEMPT.format('05')}_{NAME}", f"Week 1_j_roe_{ATTEMPT.format('05')}_{NAME}"],
            "id,login\nd,doe\n",
        ),
        # ILIAS: the same.
        ([f"Doe_Jane_j_doe_12/20270305102133_{NAME}"], "id,login\nd,doe\n"),
        # Brightspace's number is nobody's id here.
        ([f"12345-67890 - Jane Doe - Mar 5, 2027 1021 PM/{NAME}"], "id,name\n12345,Rick Roe\n"),
    ],
)
def test_nobody_gets_a_file_for_a_part_of_a_name(tmp_path, files, roster):
    done = collected(tmp_path, dict.fromkeys(files, A), roster)
    assert done.students == [] and set(done.unplaced) == set(files)


@pytest.mark.parametrize(
    "name", ["grades.csv", "class/grades.csv", "class/index.html", "class/~$grades.xlsx"]
)
def test_nobody_is_invented_from_a_file_of_the_course(tmp_path, name):
    done = collected(tmp_path, {f"class/ann/{NAME}": A, f"class/bo/{NAME}": B, name: b"1,2"})
    assert [one.student for one in done.students] == ["ann", "bo"]
    assert len(done.unplaced) + done.ignored == 1


def test_without_names_students_of_moodle_are_called_by_their_numbers(tmp_path):
    done = collected(tmp_path, {f"Participant{MOODLE.format(number)}": A for number in (101, 102)})
    assert [one.student for one in done.students] == ["Participant-101", "Participant-102"]


def test_a_student_who_takes_the_name_of_another_does_not_stop_the_others_file(tmp_path):
    """On some platforms people choose the name that is shown: a number or an address is surer."""
    metadata = (
        "submission_1:\n  :submitters:\n  - :name: Jane Doe\n    :sid: '12'\n"
        "submission_2:\n  :submitters:\n  - :name: Jane Doe\n    :email: other@mail.example\n"
    )
    files = {
        "submission_metadata.yml": metadata.encode(),
        f"submission_1/{NAME}": A,
        f"submission_2/{NAME}": B,
    }
    done = collected(tmp_path, files, "Name,SID,Email\nJane Doe,12,jane@uni.example\n")
    assert {one.student: one.file for one in done.students} == {"12": f"submission_1/{NAME}"}
    assert set(done.unplaced) == {f"submission_2/{NAME}"}
