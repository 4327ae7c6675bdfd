"""The TA's pages of a class that is made from the bank: how long they take to build, and how heavy they are.

.venv/bin/python benchmarks/review.py [--students 200] [--weeks 3] [--keep FOLDER]
"""

import argparse
import random
import shutil
import tempfile
import time
from pathlib import Path

from coursekit.authoring.release import release
from coursekit.course.bank import read_bank
from coursekit.course.config import Course, Week, open_course
from coursekit.deliver.review.pages import write_reports
from coursekit.engine.shared.master import fill
from coursekit.gradebook.record import record
from coursekit.grading.place import Here
from coursekit.grading.run import grade_class

ROOT = Path(__file__).parent.parent
RIGHT, WRONG = 0.6, 0.3  # shares of a student's answers; the others are not answered
SENTENCES = (
    "The reason is what the text says: {} would not be enough.",
    "I am not sure, but {} seems to matter most here.",
    "Because of {}. Without it nothing could be learnt.",
    "",
)


def make_class(root: Path, students: int, weeks: int) -> Course:
    """A course folder with as many students, each with a mixture of the bank's answers in each week."""
    here = open_course(ROOT)
    for name in ("course.toml", "nbgrader_config.py"):
        shutil.copy(ROOT / name, root / name)
    for name in ("source", "answers"):
        shutil.copytree(ROOT / name, root / name)
    names = [f"student{number:03}" for number in range(students)]
    (root / "roster.csv").write_text("id\n" + "\n".join([*names, "absent"]) + "\n")
    chance = random.Random(11)
    for week in here.weeks[:weeks]:
        master, bank = here.master(week), read_bank(here, week)
        for name in names:
            if chance.random() < 0.03:
                continue
            answers = {}
            for question in master.questions:
                if question.written:
                    text = chance.choice(SENTENCES).format(chance.choice(["scaling", "a mask", "order"]))
                    answers[question.id] = text
                    continue
                kind, mine = chance.random(), [answer for answer in bank if answer.question == question.id]
                if kind < RIGHT + WRONG:
                    answers[question.id] = chance.choice(
                        [answer.source for answer in mine if answer.right == (kind < RIGHT)]
                    )
            folder = root / "submitted" / name / week.name
            folder.mkdir(parents=True)
            (folder / f"{week.notebook}.ipynb").write_bytes(
                fill(master, {key: value for key, value in answers.items() if value})
            )
    return open_course(root)


def grade_all(course: Course, weeks: list[Week]) -> None:
    """Release and grade these weeks, and record the results."""
    for week in weeks:
        release(course, week)
        record(course, week, grade_class(course, week, place=Here()).results.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--students", type=int, default=200)
    parser.add_argument("--weeks", type=int, default=3)
    parser.add_argument("--keep", type=Path, help="leave the course folder there")
    given = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        root = given.keep or Path(temporary)
        root.mkdir(exist_ok=True)
        course = make_class(root, given.students, given.weeks)
        weeks = list(course.weeks[: given.weeks])
        started = time.monotonic()
        grade_all(course, weeks)
        print(f"graded {given.students} students in {len(weeks)} weeks: {time.monotonic() - started:.0f} s")
        for what in ("with the bank to learn", "again"):
            started = time.monotonic()
            pages, lacking = write_reports(course, weeks)
            print(f"{len(pages)} pages, {what}: {time.monotonic() - started:.1f} s", *lacking)
        for week in weeks:
            folder = root / "reports" / week.name
            page = (folder / "index.html").stat().st_size
            each = [path.stat().st_size for path in (folder / "students").iterdir()]
            print(f"{week.name}: the week {page / 1000:.0f} kB, a student at most {max(each) / 1000:.0f} kB")


if __name__ == "__main__":
    main()
