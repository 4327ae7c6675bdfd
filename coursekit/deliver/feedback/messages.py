"""What the page says: statuses, outcomes and repairs in words, for the student."""

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
)

# Status: (a few words, what it means for the marks and what to do).
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

OUTCOME = {
    PASSED: "Passed",
    FAILED: "Not passed",
    ERROR: "Stopped with an error",
    STOPPED: "Had to be stopped",
    NOT_RUN: "Did not run",
}

# A kind that is not here is shown as it is, with underscores as spaces.
REPAIR = {
    "renamed_file": "The file had a different name from the one you were given. It was accepted all the same.",
    "metadata_restored": "A cell had lost the labels that the grader goes by. It was found all the same.",
    "cell_restored": "A cell of the course was missing. It was put back.",
    "cell_type_restored": "A code cell had become a text cell. It was read as code again.",
    "missing_answer": "The cell for an answer is not in your file, so there was nothing to grade.",
    "given_type_restored": "A code cell of the course had become a text cell. It was read as code again.",
    "answer_found_elsewhere": "An answer was in a different cell from its own. It was taken from there.",
    "duplicate_dropped": "The notebook had more than one copy of a cell. One of them was graded.",
    "duplicate_answer_dropped": "The notebook had more than one cell for an answer. The last answer was graded.",
    "reordered": "Cells were not in the course's order. They were run in the course's order.",
    "test_restored": "A test had been deleted. The course's own test was used.",
    "test_edited": "A test had been changed. The course's own test was used.",
    "given_edited": "A cell of the course had been changed. The course's cell was run first, then yours.",
    "points_restored": "The points of a test had been changed. The course's own points count.",
    "format_upgraded": "The file was in an older notebook format. It was converted.",
    "unpacked": "The notebook was inside an archive. It was taken out.",
    "encoding_restored": "The file's text was stored in an unusual encoding. Please check your words and comments.",
    "conflict_resolved": "The file held the conflict markers of an unfinished merge. One side of it was graded.",
    "salvaged": "The file was damaged. Everything in it that could still be read was graded.",
    "concatenated": "The file held more than one notebook, one after the other. One of them was graded.",
    "rest_dropped": "There was something after the notebook in the file. It was left out.",
    "read_from_script": "You handed in a Python file. Its code was put into the notebook and graded.",
    "cells_parted": "Several cells had been merged into one. They were taken apart again.",
    "cells_joined": "A cell had been split. Its parts were put together again.",
    "functions_joined": "An answer had been split between several cells. They were put together again.",
    "characters_restored": "Some code held characters that Python does not accept. They were replaced by plain ones.",
    "accents_removed": "A letter carried a hundred accents or more, which takes Python very long. They were removed.",
    "helper_moved": "Something that an answer needs was further down. It was run before the answer.",
    "another_week": "This seems to be another week's notebook, so there was nothing to grade for this week.",
}
