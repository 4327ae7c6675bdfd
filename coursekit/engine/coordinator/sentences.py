"""The sentences for reason codes, made where they are shown: in the graded notebook, on pages and by commands."""

from collections.abc import Mapping

from coursekit.engine.shared.reasons import Flag, Repair, Stop, TestReason, Unreadable, Values
from coursekit.engine.shared.result import Note

ASK = "Somebody has to look at this: ask your instructor."
AGAIN = "Save the notebook again and hand in the .ipynb file."
CLEAR = "Clear its outputs, and save and hand in the .ipynb file again."
DEFINITIONS = "functions, classes, imports and plain values"

# Why a cell was stopped, as the end of a sentence.
_STOPPED: dict[str, str] = {
    Stop.TIMED_OUT: "it was not finished after {seconds:g} seconds of processor time",
    Stop.MEMORY: "it used more than {memory_mb} MiB of memory",
    Stop.PROCESSES: "it started too many processes",
    Stop.SCRATCH: "it wrote more than {scratch_mb} MiB to the disk",
    Stop.DESCRIPTORS: "it opened too many sockets and pipes",
    **dict.fromkeys((Stop.EXITED, Stop.KILLED, Stop.DIED), "the kernel died while it was running"),
}
_AFTER_TEST = (
    "Something that this question's tests started in the student's code did not end, or ended Python."
)
MESSAGES: dict[TestReason, str] = {
    TestReason.CHECK_FAILED: "{text}",
    TestReason.NOT_ANSWERED: "Your code raised {error}: {text}",
    TestReason.RAISED: "Your code raised {error}: {text}",
    TestReason.UNDEFINED: (
        "name '{name}' is not defined: no cell of the notebook defined it without an error"
    ),
    TestReason.NEWER_PYTHON: (
        "No result: your code has syntax of Python {needs}, which the grader's Python {here} cannot read. That may be "
        "no mistake of yours, and somebody looks at it."
    ),
    TestReason.UNREADABLE_VALUE: "What your code returned could not be read: {text}.",
    TestReason.UNUSABLE_VALUE: "The test could not use what your code defines or returns. {error}: {text}",
    TestReason.TIMED_OUT: (
        "Not finished after {seconds:.3g} seconds of processor time: is there an endless loop?"
    ),
    TestReason.MEMORY: "Stopped: your code used up the memory that it has.",
    TestReason.DIED: "The notebook's kernel died while the test was running.",
    TestReason.NO_TIME_LEFT: (
        "Not run: the tests of this question had used up the {seconds:g} seconds of processor time that they have "
        "together."
    ),
    TestReason.EXAMINER_LOST: f"The test could not be finished. {ASK}",
    TestReason.UNREADABLE: "{text}",
    TestReason.ENGINE_FAULT: f"The grader itself failed on this notebook. {ASK}",
}
UNREADABLE: dict[str, str] = {
    Unreadable.NOTHING: (
        f"There is nothing to read: no file, an empty one, or one of more than 100 MiB. {AGAIN} If it is large, "
        "clear its outputs first."
    ),
    Unreadable.MEMORY: (
        f"The file could not be read: it needs more memory than a notebook ever should. {CLEAR}"
    ),
    Unreadable.TIME: f"The file could not be read: it needs more time than a notebook ever should. {CLEAR}",
    Unreadable.TOO_DEEP: "The file is nested too deeply to be a notebook.",
    Unreadable.OTHER_FORMAT: f"The file is {{format}}, not a notebook. {AGAIN}",
    Unreadable.BROKEN_ARCHIVE: f"The file is a {{format}} archive that cannot be unpacked. {AGAIN}",
    Unreadable.LARGE_ARCHIVE: f"The file is an archive that holds more than {{limit}} MiB. {AGAIN}",
    Unreadable.FULL_ARCHIVE: f"The file is an archive of more than {{limit}} files. {AGAIN}",
    Unreadable.NO_NOTEBOOK_IN_ARCHIVE: f"The file is a zip archive without a notebook in it. {AGAIN}",
    Unreadable.NO_CELLS: f"The file is JSON, but it has no cells, so it is not a notebook. {AGAIN}",
    Unreadable.NOT_A_NOTEBOOK: f"The file is JSON, but not a notebook. {AGAIN}",
    Unreadable.TOO_MANY_CELLS: (
        "The notebook has {count:,} cells; at most {limit:,} are allowed. Delete those that are not yours, and hand "
        "in the .ipynb file again."
    ),
    Unreadable.TOO_MUCH_CODE: (
        "The notebook's code cells hold more than {limit} MiB of text. Take out what is not your own code, and hand "
        "in the .ipynb file again."
    ),
    Unreadable.WEB_PAGE: (
        f"The file is a web page, perhaps one that asks for a login, not a notebook. {AGAIN}"
    ),
    Unreadable.CUT_OFF: f"The file was cut off: it ends too early to hold one whole cell. {AGAIN}",
    Unreadable.NOT_JSON: f"The file is not a notebook (not JSON). {AGAIN}",
}
NOTES: dict[str, str] = {
    Repair.RENAMED_FILE: "The notebook was handed in as {name!r}.",
    Repair.UNPACKED: "The notebook was handed in inside an archive; it was taken out.",
    Repair.CONVERTED: (
        "The file is {form}, not a Jupyter notebook. Its code and its texts were put in the notebook's cells."
    ),
    Repair.FORMAT_UPGRADED: "The notebook was in an old format (3 or older); it was read all the same.",
    Repair.ENCODING_RESTORED: (
        "The file was not saved as UTF-8; letters other than a to z were read as Windows writes them."
    ),
    Repair.SALVAGED: (
        "The file is damaged: {count} cells in it could be read. What is missing counts as not answered."
    ),
    Repair.CONCATENATED: "The file holds more than one notebook, one after the other.",
    Repair.CONFLICT_RESOLVED: (
        "The file holds the conflict markers of an unfinished git merge; one side of it was read."
    ),
    Repair.REST_DROPPED: "There was something after the notebook in the file; it was left out.",
    Repair.METADATA_RESTORED: (
        "The cell had lost its grading metadata; it was recognised by its id, its text or its place."
    ),
    Repair.CELL_RESTORED: "A given cell was missing; it was put back.",
    Repair.TEST_RESTORED: "The test cell was missing; it was put back.",
    Repair.TEST_EDITED: "The test cell was edited; the original was run.",
    Repair.POINTS_RESTORED: "The cell claimed {claimed} points instead of {points:g}.",
    Repair.GIVEN_EDITED: "A given cell was edited; the original and the edit both ran.",
    Repair.DATA_RESTORED: (
        "The file {name} was handed in with other contents than the course's; the notebook was run with the course's."
    ),
    Repair.CELL_TYPE_RESTORED: "The answer was in a {type} cell; it was run as code.",
    Repair.GIVEN_TYPE_RESTORED: "A given code cell had become a {type} cell; it was run as code.",
    Repair.CHARACTERS_RESTORED: (
        "The code held quotes, spaces or other characters from a word processor or a web page that Python does not "
        "accept. They were replaced by those that Python uses."
    ),
    Repair.ACCENTS_REMOVED: "A letter in the code carried a hundred accents or more. They were removed.",
    Repair.MAGIC_SKIPPED: (
        "The cell began with %%{name}, which does not exist while grading. The code below it was run."
    ),
    Repair.CELLS_JOINED: "A cell had been split in the middle of its code; its parts were put together again.",
    Repair.FUNCTIONS_JOINED: (
        "An answer had been split between its functions; its cells were put together again."
    ),
    Repair.CELLS_PARTED: (
        "One cell held what belongs in several; it was taken apart, and each part graded in its place."
    ),
    Repair.DUPLICATE_DROPPED: "The notebook has {count} cells with this name; one counts.",
    Repair.DUPLICATE_ANSWER_DROPPED: (
        "The notebook has {count} cells with this name; the last one with an answer counts."
    ),
    Repair.REORDERED: "Cells were in a different order; they were put back in the right one.",
    Repair.HELPER_MOVED: "A cell that the answer needs was further down; it was run first.",
    Repair.ANSWER_FOUND_ELSEWHERE: (
        "The answer is in another cell of the notebook; it was graded from there."
    ),
    Repair.WORDS_IN_GIVEN_TEXT: (
        "The cell for the answer was left as it was; words that were added to a text cell of the course near it were "
        "taken as the answer."
    ),
    Repair.WORDS_IN_CODE: (
        "The cell for the answer was left as it was; comments and strings in a code cell near it were taken as the "
        "answer."
    ),
    Repair.ANSWER_IN_FILE: (
        "The cell for the answer was left as it was; it was handed in beside the notebook, as {names}."
    ),
    Repair.MISSING_ANSWER: "The cell for the answer is gone.",
    Repair.ANOTHER_WEEK: "The notebook has no question from this week. Its title: {title}.",  # also the flag's
    Repair.NOTHING_RECOGNISED: (  # also the flag's
        "Nothing was found that answers a question under the name that it asks for. The file defines {found}."
    ),
    Flag.DAMAGED_FILE: (
        "The file is damaged: {count} cells in it could be read. What is missing counts as not answered. Ask for the "
        "whole file where that matters."
    ),
    Flag.CONCATENATED_FILE: (
        "The file holds more than one notebook, one after the other. Ask for the whole file where that matters."
    ),
    Flag.MERGE_CONFLICT: (
        "The file holds the conflict markers of an unfinished git merge; one side of it was read. Compare with the "
        "file handed in."
    ),
    Flag.SEVERAL_NOTEBOOKS: "There is more than one notebook. {graded} was graded, {others} was not.",
    Flag.SEVERAL_IN_FILE: ("The file holds {count} notebooks; the one with the most answers was graded."),
    Flag.SEVERAL_ANSWERS: (
        "The notebook holds {count} different answers under this name; the last one was graded."
    ),
    Flag.ANSWERED_BESIDE: (
        "Nothing is answered in {graded}, which was graded, but {found} defines what a question asks for."
    ),
    Flag.MAYBE_AN_ANSWER: ("No {wanted} was written, but the notebook defines {found}. Is that the answer?"),
    Flag.MAYBE_IN_FILE: (
        "The cell for the answer was left as it was, but beside the notebook there is {names}. Is that the answer?"
    ),
    Flag.PICTURE_NOT_SHOWN: (
        "The picture {name} cannot be shown on a page. Look for it in what was handed in, or ask for it."
    ),
    Flag.TOO_MANY_PICTURES: "The notebook has {count} pictures in texts; {limit} of them are shown.",
    Flag.TOO_LARGE: (
        "{name} was not used: it has {mib} MiB, and at most {limit} MiB of such files are read."
    ),
    Flag.TOO_MANY_FILES: "The folder holds more than {limit:,} files; not all of them were looked at.",
    Flag.FILE_LEFT_OUT: (
        "The file {name} was not put beside the notebook: it is too large, it cannot be read, its name is too long, or "
        "another file is in its place."
    ),
    Flag.TEXT_CUT: "A text cell was too long, and only its beginning was kept.",
    Flag.TOO_MANY_CELLS: (
        "The notebook has {count} cells of the student's own; only the first {limit} were run."
    ),
    Flag.TEST_TAMPERED: "The test cell carried the tags {tags}, which the release does not have.",
    Flag.POINTS_TAMPERED: "The cell claimed {claimed} points instead of {points:g}.",
    Flag.FROM_SCRATCH: "Uses {uses} in an answer that is to be written by hand.",
    Flag.FROM_SCRATCH_BESIDE: (
        "Uses {uses} in a cell of the student's own beside answers that are to be written by hand."
    ),
    Flag.FROM_SCRATCH_IN_FILE: (
        "Uses {uses} in {name}, a file beside the notebook, although answers are to be written by hand."
    ),
    Flag.MODULE_NAME_TAKEN: (
        "The notebook imports {name}, which is the name both of a file beside it and of an installed module. While it "
        "was graded, it got the installed one; on the student's machine, it gets the file."
    ),
    Flag.MISSING_PACKAGE: "The answer needs {packages}, which grading does not have.",
    Flag.NEWER_PYTHON: (
        "The answer, or a cell that it needs, has syntax of Python {needs}, which the grader's Python {here} cannot "
        "read. It may be right: grade it with Python {needs}, or by hand."
    ),
    Flag.EXAMINER_LOST: "The examiner was lost in this test ({error}).",
    Flag.SETUP_FAILED: "The setup failed ({error}).",
    Flag.ENGINE_FAULT: "{error}",
    Flag.UNSAFE: "Graded with --unsafe: the student's code was not confined.",
    **{code: f"This cell was stopped: {clause}." for code, clause in _STOPPED.items()},
    Stop.TEST_TIMED_OUT: MESSAGES[TestReason.TIMED_OUT],
    Stop.TEST_MEMORY: MESSAGES[TestReason.MEMORY],
    Stop.TEST_DIED: MESSAGES[TestReason.DIED],
    Stop.TEST_BROKEN: "What the student's code sent during this test could not be read.",
    Stop.AFTER_TEST_TIMED_OUT: _AFTER_TEST,
    Stop.AFTER_TEST_DIED: _AFTER_TEST,
    Stop.AFTER_TEST_LEFT: _AFTER_TEST,
}


def sentence(note: Note) -> str:
    """Return the sentence for a repair, a flag or a stop; "" if this version does not know its kind or values."""
    if note.kind == Flag.UNREADABLE:
        return _filled(UNREADABLE, str(note.values.get("reason", "")), note.values)
    return _filled(NOTES, note.kind, note.values)


def kind_in_words(note: Note) -> str:
    """Return the kind of a note as words.

    >>> kind_in_words(Note("several_notebooks"))
    'several notebooks'
    """
    return note.kind.replace("_", " ")


def message(reason: TestReason, values: Values) -> str:
    """Return the student's message about a test that was not passed; the value "where" is put below."""
    text = MESSAGES[reason].format_map(values)
    return f"{text}\n{where}" if (where := values.get("where")) else text


def _filled(templates: Mapping[str, str], code: str, values: Values) -> str:
    try:
        return templates.get(code, "").format_map(values)
    except (KeyError, ValueError):  # written by another version
        return ""


def cells_out_of_time(seconds: float) -> str:
    """Return the sentence below a cell that was not run as a whole, since the cells have no time left."""
    return (
        f"Not run as a whole: the cells of this notebook had used up the {seconds:g} seconds of processor time that "
        f"they have together. What this cell defines was kept: {DEFINITIONS}."
    )


def cell_stopped(stop: Note | None, line: int, kept: str, all_cells_seconds: float = 0.0) -> str:
    """Return the sentence below a cell that did not end well.

    Args:
        stop: what ended it; None: an error.
        line: at which it stopped.
        kept: what the grader kept of it: "nothing", "definitions" or "above" (also what it did above the line).
        all_cells_seconds: the limit of all cells together, if that was what ended it.
    """
    if all_cells_seconds:
        why = (
            f"the cells of this notebook have used up the {all_cells_seconds:g} seconds of processor time that they "
            "have together"
        )
    else:
        why = _filled(_STOPPED, stop.kind, stop.values) if stop else "it ended with an error"
    if kept == "nothing":
        return f"This cell was stopped: {why}. Nothing of it was kept."
    if kept == "above":
        return (
            f"This cell stopped at line {line}: {why}. What it did above that line was kept, and what it defines below "
            f"it: {DEFINITIONS}."
        )
    return f"This cell stopped at line {line}: {why}. What it defines elsewhere was kept: {DEFINITIONS}."
