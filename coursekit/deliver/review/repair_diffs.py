"""Diffs of the changes that repair made in a week's submissions, for reviewers."""

import logging

from coursekit.course.config import Course
from coursekit.deliver.review.week_data import WeekData
from coursekit.engine.coordinator.reader_client import read_differences
from coursekit.engine.coordinator.servers import Servers
from coursekit.engine.shared.errors import Stopped
from coursekit.engine.supervisor import sandbox
from coursekit.intake.submissions import read_submission

logger = logging.getLogger(__name__)

# {student: (sign, line) for each line of a unified diff}; the signs are in `coursekit.engine.shared.reader_messages`
RepairDiffs = dict[str, list[tuple[str, str]]]


def repair_diffs(course: Course, week: WeekData) -> tuple[RepairDiffs, str]:
    """Return diffs for students whose files are unchanged since grading, and why reading was given up, or "".

    Submissions are read again, only in confined readers as for grading. A diff that fails alone is left out.
    """
    repaired = [student for student in week.handed_in if student.result and student.result.repairs]
    if not repaired:
        return {}, ""
    if lacks := sandbox.missing():
        reason = "What repair changed is not shown: submissions are read only in the sandbox."
        return {}, f"{reason} {' '.join(lacks)}"
    diffs: RepairDiffs = {}
    with Servers() as servers:
        for student in repaired:
            try:
                with read_submission(course, week.week, student.id) as submission:
                    if student.result and student.result.hashes.get("submission") == submission.digest:
                        diffs[student.id] = read_differences(week.master, submission, servers)
            except Stopped as error:  # no other submission can be read either
                return diffs, f"What repair changed is not shown: {error}"
            except Exception:  # a page without it is better than none
                logger.info("%s: what repair changed cannot be shown", student.id, exc_info=True)
    return diffs, ""
