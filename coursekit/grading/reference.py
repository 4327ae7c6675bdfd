"""The reference comes first: if the master's own solutions do not get full marks, nobody is graded.

A slip in a solution or a test would cost a whole class its marks, and nothing else would show it. A reference with full
marks is remembered in a file beside the results, by the hashes of all that it depends on.
"""

import json
from collections.abc import Callable
from contextlib import suppress

from coursekit.course.config import Course, Week
from coursekit.engine.coordinator.digests import hashes
from coursekit.engine.coordinator.outcome import Graded
from coursekit.engine.coordinator.sentences import sentence
from coursekit.engine.coordinator.submission import Submission
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import Master
from coursekit.engine.shared.reasons import Flag
from coursekit.files import write_atomically
from coursekit.grading.faults import faults_of, faults_of_setup, filled


def check_reference(
    course: Course,
    week: Week,
    master: Master,
    unsafe: bool,
    grade_one: Callable[[Submission, Graded | None], Graded],
) -> None:
    """Grade the master's own solutions where the class will be graded, unless they got full marks before.

    Raises:
        CourseError: they do not get full marks (the message names cells and lines), or cannot be graded.
    """
    notebook = filled(master)
    key = json.dumps([hashes(master, notebook, course.limits), unsafe])
    path = course.results / f".{week.name}.reference"
    with suppress(OSError, ValueError):
        if path.read_text(encoding="utf-8") == key:
            return
    source_path = course.source(week).relative_to(course.root)
    try:
        with Submission.of_bytes({f"{master.name}.ipynb": notebook}) as submission:
            graded = grade_one(submission, None)
    except CourseError as error:
        raise type(error)(f"{source_path}: the reference could not be graded. {error}") from error
    result = graded.result
    setup_faults = faults_of_setup(master, course.limits) if result.faulty else []
    if result.faulty and not setup_faults:
        reason = next(flag for flag in reversed(result.flags) if flag.kind != Flag.UNSAFE)
        raise CourseError(f"{source_path}: the reference could not be graded. {sentence(reason)}")
    if result.score < result.max_score:
        raise CourseError(
            f"{source_path}: the reference gets {result.score:g} of {result.max_score:g} points, so nobody was graded. "
            "Correct the source and run the same command again.\n"
            + "\n".join(setup_faults or faults_of(master, graded, course.limits))
        )
    with suppress(OSError):
        write_atomically(path, key.encode())
