"""What repair changed in the submissions of a week, for those who review them."""

from coursekit.course.config import Course
from coursekit.deliver.review.gather import Gathered
from coursekit.engine.coordinator.reader_client import read_differences
from coursekit.engine.coordinator.servers import Servers
from coursekit.engine.shared.errors import Stopped
from coursekit.engine.supervisor import sandbox
from coursekit.intake.student_folder import read_submission

Mended = dict[
    str, list[tuple[str, str]]
]  # {student: lines as `coursekit.engine.reader.repair.difference` has them}


def mended(course: Course, week: Gathered) -> tuple[Mended, str]:
    """What repair changed for each student with a repair whose files are still what was graded; or why not.

    What was handed in is read again, in the same confined readers as when it was graded, and only there.
    """
    repaired = {
        student.id: student.result
        for student in week.students
        if student.result is not None and student.result.repairs
    }
    if not repaired:
        return {}, ""
    if lacks := sandbox.missing():
        return (
            {},
            f"What repair changed is not shown: submissions are read only in the sandbox. {' '.join(lacks)}",
        )
    found: Mended = {}
    with Servers() as servers:
        for name, result in repaired.items():
            try:
                with read_submission(course, week.week, name) as submission:
                    if result.hashes.get("submission") == submission.digest:
                        found[name] = read_differences(week.master, submission, servers)
            except Stopped as error:
                return found, f"What repair changed is not shown: {error}"
            except Exception:  # a page without it is better than none
                continue
    return found, ""
