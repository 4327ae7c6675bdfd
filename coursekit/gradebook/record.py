"""Write results into nbgrader's own gradebook.

nbgrader's tables are written in bulk, one transaction a batch. A TA's entries (manual scores, extra credit,
comments) are read, never written. This adds one table, `coursekit_submission`: the result last recorded for a
submission, so that recording it again changes nothing and a TA's cleared flag stays cleared.
"""

import hashlib
import json
import logging
from collections.abc import Iterable
from itertools import islice

from coursekit.course.config import Course, Week
from coursekit.course.late import lateness
from coursekit.course.roster import read_roster
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import Master
from coursekit.engine.shared.result import UNREADABLE, Result
from coursekit.gradebook.timestamps import TIMESTAMP, read_time

logger = logging.getLogger(__name__)
BATCH = 500  # results in one transaction, and ids in one statement: some versions of SQLite allow no more than 999


def record(course: Course, week: Week, results: Iterable[Result]) -> int:
    """Write results of one week into nbgrader's gradebook.

    Each transaction writes a batch of BATCH results: however large the class, only one batch is in memory, and a TA at
    work waits for one batch, not for the class. A batch is written whole or, if there is an error in it, not at all;
    those before it stay. A call can be interrupted and repeated.

    Tests get their automatic score, or 0 in an unreadable submission. A written question gets the score in the
    result (0, if nothing was written); without one it waits for a person, unless it is marked already. After
    another submission, or when a test's outcome changed, a mark given by hand is kept and shown for review, as
    nbgrader does. If a result has flags, its submission is flagged once: a TA who clears the flag sees it
    again only when the flags or the submission change. The late penalty is written to nbgrader's own column.

    Returns:
        How many results were written.

    Raises:
        CourseError: a result is not of this week or of this master, or the gradebook or roster.csv cannot be used.
    """
    from coursekit.gradebook.rows import GradebookEntry, write_entries  # nbgrader takes 1.7 s to import

    count, results = 0, iter(results)
    master, roster = course.master(week), read_roster(course)
    while batch := {result.student: result for result in islice(results, BATCH)}:
        entries = {}
        for student, result in batch.items():
            handed_in_at = read_time(course.submitted(student, week) / TIMESTAMP)
            submission_hash = result.hashes.get("submission", "")
            flags = [[note.kind, note.cell, dict(note.values)] for note in result.flags]
            entries[student] = GradebookEntry(
                scores=_automatic_scores(week, master, result),
                handed_in_at=handed_in_at,
                penalty=lateness(course, week, roster, student, handed_in_at, master.total_points).penalty,
                status=result.status,
                submission=submission_hash,
                flags=hashlib.sha256(json.dumps([flags, submission_hash]).encode()).hexdigest(),
                flagged=bool(flags),
            )
        write_entries(course, week, master, entries)
        count += len(entries)
        logger.info("%s: %d results are in the gradebook", week.name, count)
    return count


def _automatic_scores(week: Week, master: Master, result: Result) -> dict[str, float | None]:
    """Return {grade_id: automatic score, None where a person decides} for every graded cell."""
    if result.week != week.name:
        raise CourseError(f"The result of {result.student} is from {result.week}, not from {week.name}.")
    test_ids = [test for question in master.questions for test in question.tests]
    scores: dict[str, float | None] = {test.id: float(test.score) for test in result.tests}
    if result.status == UNREADABLE:
        scores = dict.fromkeys(test_ids, 0.0)
    if set(scores) != set(test_ids) or result.hashes.get("master", master.digest) != master.digest:
        raise CourseError(
            f"The result of {result.student} is from another version of source/{week.name}. "
            f"Run `course grade {week.name}` again."
        )
    question_scores = {question.id: question.score for question in result.questions}
    return scores | {
        question.id: question_scores.get(question.id) for question in master.questions if question.written
    }
