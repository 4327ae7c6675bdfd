"""One week of the demo class as Canvas would give it, to try `course collect` and `course export` on.

    .venv/bin/python demo/download.py FOLDER [WEEK]

writes submissions.zip, with the file names that Canvas makes; roster.csv, the class; and gradebook.csv, the sheet into
which the marks go. One student of the class has handed in nothing. Without WEEK it is the first week's.
"""

import sys
import tempfile
import zipfile
from pathlib import Path

from make_class import CLASS, make_class

from coursekit.course.config import Course, Week, open_course
from coursekit.engine.shared.errors import CourseError

FIRST = 101  # Canvas' number of the first student
ABSENT = f"s{len(CLASS) + 1}"


def write_download(course: Course, week: Week, folder: Path) -> None:
    """Write the three files to `folder`, which is made when it is not there.

    Raises:
        CourseError: a week's notebook or its bank of answers cannot be used.
    """
    folder.mkdir(parents=True, exist_ok=True)
    numbers = {student: FIRST + place for place, student in enumerate([*CLASS, ABSENT])}
    with tempfile.TemporaryDirectory() as temporary:
        make_class(course, Path(temporary))
        handed_in = sorted(Path(temporary).glob(f"*/{week.name}/*"))
        with zipfile.ZipFile(folder / "submissions.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for number, path in enumerate(handed_in, 9001):
                student = path.parts[-3]
                archive.write(path, f"{student}_{numbers[student]}_{number}_{path.name}")
    (folder / "roster.csv").write_text(
        "id,canvas\n" + "".join(f"{student},{number}\n" for student, number in numbers.items()),
        encoding="utf-8",
    )
    points = course.master(week).total_points
    lines = [f"Student,ID,SIS Login ID,Section,{week.name} (77)", f"    Points Possible,,,,{points:g}"]
    lines += [f"Student {number},{number},{student},A," for student, number in numbers.items()]
    (folder / "gradebook.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def main() -> None:
    if not 2 <= len(sys.argv) <= 3:
        sys.exit("Usage: python demo/download.py FOLDER [WEEK]")
    folder = Path(sys.argv[1])
    try:
        course = open_course(Path(__file__).resolve().parent.parent)
        week = course.week(sys.argv[2]) if len(sys.argv) == 3 else course.weeks[0]
        write_download(course, week, folder)
    except CourseError as error:
        sys.exit(str(error))
    print(f"submissions.zip, roster.csv and gradebook.csv of {week.name} are in {folder}.")


if __name__ == "__main__":
    main()
