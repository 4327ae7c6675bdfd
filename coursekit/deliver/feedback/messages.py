"""The words for statuses, outcomes and repairs on the student's page."""

from collections import defaultdict

from coursekit.course.config import COUNT, NOTHING
from coursekit.engine.shared.reasons import Flag, Repair
from coursekit.engine.shared.result import (
    ERROR,
    FAILED,
    FAULT,
    GRADED,
    NOT_RUN,
    PASSED,
    REPAIRED,
    STOPPED,
    UNREADABLE,
    Note,
)

# {status: (a few words, its meaning for the marks and what to do)}
STATUS = {
    GRADED: ("Graded", "Your notebook was graded as you handed it in."),
    REPAIRED: (
        "Graded after a repair",
        "Something in your notebook or its file had been changed, moved or lost. It was put in order, then graded. "
        "The repair takes no marks away. What was repaired is listed below.",
    ),
    STOPPED: (
        "Graded, but a test had to be stopped",
        "While a test ran your code, it took too much time or memory, or it ended Python. All other tests kept their "
        "marks. The usual reasons are a loop that never ends, a tensor that is far too large, and endless recursion.",
    ),
    UNREADABLE: (
        "Not graded: the file could not be read",
        "What you handed in does not open as a notebook, so nothing was run and no test gave points.",
    ),
    FAULT: (
        "Not fully graded yet",
        "The grader itself failed while it worked on your notebook. That is no fault of yours. It is graded again in "
        "the next run. Ask your instructor if this page still says so after that.",
    ),
}

NOTHING_FOUND = (
    "Graded, but no answer was found",
    "What you handed in holds no answer to this week's questions that the grader recognises. Somebody on the course "
    "team is asked to look at it.",
)

# {policy: what the page does not show before the due time}
WITHHELD = {
    COUNT: "What hidden tests found, and what your cells printed while grading, is on this page after the due time.",
    NOTHING: "These are the visible tests and their points. Hidden tests, the other points, and what your cells "
    "printed while grading, are on this page after the due time.",
}

OUTCOME = {
    PASSED: "Passed",
    FAILED: "Not passed",
    ERROR: "Stopped with an error",
    STOPPED: "Had to be stopped",
    NOT_RUN: "Did not run",
}

# {flag of an answer that needs something that grading does not have: (why it fails, what to do), before a person has
# looked at it, and afterwards}
UNMET_REQUIREMENTS: dict[str, tuple[tuple[str, str], tuple[str, str]]] = {
    Flag.MISSING_PACKAGE: (
        (
            "Your code uses {packages}, which was not there while your notebook was graded. That may be no mistake of "
            "yours: somebody looks at it.",
            "There is nothing that you must do: somebody looks at this answer. If you can hand in again, you can also "
            "do without {packages}; the notebook's first cell lists what it can import while it is graded.",
        ),
        (
            "Your code uses {packages}, which was not there while your notebook was graded. Somebody has looked at it.",
            "Do without {packages}: the notebook's first cell lists what it can import while it is graded.",
        ),
    ),
    Flag.NEWER_PYTHON: (
        (
            "Your code has syntax of Python {needs}, which the grader's Python {here} cannot read. That may be no "
            "mistake of yours: somebody looks at it.",
            "There is nothing that you must do: somebody looks at this answer. If you can hand in again, code without "
            "what is new in Python {needs} is tested at once.",
        ),
        (
            "Your code has syntax of Python {needs}, which the grader's Python {here} cannot read. Somebody has looked "
            "at it.",
            "Do without what is new in Python {needs}.",
        ),
    ),
}

# A kind that is not here is shown as it is, with underscores as spaces.
REPAIR: dict[str, str] = {
    Repair.RENAMED_FILE: "The file had a different name from the one you were given. It was accepted all the same.",
    Repair.METADATA_RESTORED: "A cell had lost the labels that the grader goes by. It was found all the same.",
    Repair.CELL_RESTORED: "A cell of the course was missing. It was put back.",
    Repair.CELL_TYPE_RESTORED: "A code cell had become a text cell. It was read as code again.",
    Repair.MISSING_ANSWER: "The cell for an answer is not in your file, so there was nothing to grade.",
    Repair.GIVEN_TYPE_RESTORED: "A code cell of the course had become a text cell. It was read as code again.",
    Repair.ANSWER_FOUND_ELSEWHERE: "An answer was in a different cell from its own. It was taken from there.",
    Repair.WORDS_IN_GIVEN_TEXT: "Words that you added to a text of the course were taken as your answer.",
    Repair.WORDS_IN_CODE: "Comments or strings in a code cell were taken as your written answer.",
    Repair.ANSWER_IN_FILE: "Pictures that you handed in beside the notebook were taken as your written answer.",
    Repair.DUPLICATE_DROPPED: "The notebook had more than one copy of a cell. One of them was graded.",
    Repair.DUPLICATE_ANSWER_DROPPED: "The notebook had more than one cell for an answer. The last answer was graded.",
    Repair.REORDERED: "Cells were not in the course's order. They were run in the course's order.",
    Repair.DATA_RESTORED: "A file of the course's had been changed. Your notebook was run with the course's own.",
    Repair.TEST_RESTORED: "A test had been deleted. The course's own test was used.",
    Repair.TEST_EDITED: "A test had been changed. The course's own test was used.",
    Repair.GIVEN_EDITED: "A cell of the course had been changed. The course's cell was run first, then yours.",
    Repair.POINTS_RESTORED: "The points of a test had been changed. The course's own points count.",
    Repair.FORMAT_UPGRADED: "The file was in an older notebook format. It was converted.",
    Repair.UNPACKED: "The notebook was inside an archive. It was taken out.",
    Repair.ENCODING_RESTORED: (
        "The file's text was stored in an unusual encoding. Please check your words and comments."
    ),
    Repair.CONFLICT_RESOLVED: "The file held the conflict markers of an unfinished merge. One side of it was graded.",
    Repair.SALVAGED: "The file was damaged. Everything in it that could still be read was graded.",
    Repair.CONCATENATED: "The file held more than one notebook, one after the other. One of them was graded.",
    Repair.REST_DROPPED: "There was something after the notebook in the file. It was left out.",
    Repair.CONVERTED: (
        "The file was not a Jupyter notebook. Its code and texts were put into the notebook and graded. Hand in the "
        ".ipynb file next time."
    ),
    Repair.CELLS_PARTED: "Several cells had been merged into one. They were taken apart again.",
    Repair.CELLS_JOINED: "A cell had been split. Its parts were put together again.",
    Repair.FUNCTIONS_JOINED: "An answer had been split between several cells. They were put together again.",
    Repair.CHARACTERS_RESTORED: (
        "Some code held characters that Python does not accept. They were replaced by plain ones."
    ),
    Repair.ACCENTS_REMOVED: (
        "A letter carried a hundred accents or more, which takes Python very long. They were removed."
    ),
    Repair.MAGIC_SKIPPED: (
        "A cell began with a magic command that the grader does not have. The code below it was run."
    ),
    Repair.HELPER_MOVED: "Something that an answer needs was further down. It was run before the answer.",
    Repair.NOTHING_RECOGNISED: "No answer was found in what you handed in.",
    Repair.ANOTHER_WEEK: "This seems to be another week's notebook, so there was nothing to grade for this week.",
}


def unmet_requirement(flag: Note, looked_at: bool) -> tuple[str, str]:
    """Return why an answer fails that needs something that grading does not have, and what to do.

    Args:
        flag: the answer's, of a kind in UNMET_REQUIREMENTS.
        looked_at: whether a person has looked at it.
    """
    values = defaultdict(lambda: "…", flag.values)  # another version may have written others
    why, advice = UNMET_REQUIREMENTS[flag.kind][looked_at]
    return why.format_map(values), advice.format_map(values)
