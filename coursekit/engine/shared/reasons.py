"""Reason codes: what was repaired, flagged or stopped, why a file is unreadable, why a test was not passed.

Programs decide by these codes. The sentences for people are made where they are shown, by `coordinator.sentences`.
"""

import math
from collections.abc import Mapping
from enum import StrEnum
from typing import Any

Values = Mapping[str, str | int | float]  # what a sentence names: file names, counts, limits


class Repair(StrEnum):
    """What was repaired in the structure of a submission. The student sees it."""

    RENAMED_FILE = "renamed_file"
    UNPACKED = "unpacked"
    CONVERTED = "converted"  # from a script or a text that another program made of the notebook
    FORMAT_UPGRADED = "format_upgraded"
    ENCODING_RESTORED = "encoding_restored"
    SALVAGED = "salvaged"
    CONCATENATED = "concatenated"
    CONFLICT_RESOLVED = "conflict_resolved"
    REST_DROPPED = "rest_dropped"  # what the file held after the notebook
    METADATA_RESTORED = "metadata_restored"
    CELL_RESTORED = "cell_restored"
    TEST_RESTORED = "test_restored"
    TEST_EDITED = "test_edited"
    POINTS_RESTORED = "points_restored"
    GIVEN_EDITED = "given_edited"
    DATA_RESTORED = "data_restored"  # a file of the week's
    CELL_TYPE_RESTORED = "cell_type_restored"
    GIVEN_TYPE_RESTORED = "given_type_restored"
    CHARACTERS_RESTORED = "characters_restored"
    ACCENTS_REMOVED = "accents_removed"
    MAGIC_SKIPPED = "magic_skipped"  # a cell magic that does not exist while grading
    CELLS_JOINED = "cells_joined"
    FUNCTIONS_JOINED = "functions_joined"
    CELLS_PARTED = "cells_parted"
    DUPLICATE_DROPPED = "duplicate_dropped"
    DUPLICATE_ANSWER_DROPPED = "duplicate_answer_dropped"
    REORDERED = "reordered"
    HELPER_MOVED = "helper_moved"
    ANSWER_FOUND_ELSEWHERE = "answer_found_elsewhere"
    WORDS_IN_GIVEN_TEXT = "words_in_given_text"  # a written answer
    WORDS_IN_CODE = "words_in_code"  # a written answer, as comments or strings
    ANSWER_IN_FILE = "answer_in_file"  # a written answer, as pictures beside the notebook
    MISSING_ANSWER = "missing_answer"
    ANOTHER_WEEK = "another_week"
    NOTHING_RECOGNISED = "nothing_recognised"  # as an answer


class Flag(StrEnum):
    """What a person must look at. The student sees only the reason of `UNREADABLE`, and those in LACKING."""

    UNREADABLE = "unreadable"
    DAMAGED_FILE = "damaged_file"
    CONCATENATED_FILE = "concatenated_file"
    MERGE_CONFLICT = "merge_conflict"
    SEVERAL_NOTEBOOKS = "several_notebooks"  # files that may be the notebook
    SEVERAL_IN_FILE = "several_in_file"  # notebooks in the file that is graded
    SEVERAL_ANSWERS = "several_answers"
    MAYBE_AN_ANSWER = "maybe_an_answer"  # under another name than the question's
    MAYBE_IN_FILE = "maybe_in_file"  # a written answer that is missing may be in a file beside the notebook
    PICTURE_NOT_SHOWN = "picture_not_shown"
    TOO_MANY_PICTURES = "too_many_pictures"
    ANOTHER_WEEK = "another_week"
    NOTHING_RECOGNISED = "nothing_recognised"
    ANSWERED_BESIDE = "answered_beside"  # in a file that is no notebook
    TOO_LARGE = "too_large"
    TOO_MANY_FILES = "too_many_files"
    FILE_LEFT_OUT = "file_left_out"  # beside the notebook
    TEXT_CUT = "text_cut"
    TOO_MANY_CELLS = "too_many_cells"
    TEST_TAMPERED = "test_tampered"
    POINTS_TAMPERED = "points_tampered"
    FROM_SCRATCH = "from_scratch"  # a bypass hint in an answer
    FROM_SCRATCH_BESIDE = "from_scratch_beside"  # one in a cell of the student's own
    FROM_SCRATCH_IN_FILE = "from_scratch_in_file"  # one in a file beside the notebook
    MODULE_NAME_TAKEN = "module_name_taken"  # of a file beside the notebook
    MISSING_PACKAGE = "missing_package"  # that an answer uses, and that grading does not have
    NEWER_PYTHON = "newer_python"  # an answer has the syntax of a newer Python than the grader's
    EXAMINER_LOST = "examiner_lost"
    SETUP_FAILED = "setup_failed"
    ENGINE_FAULT = "engine_fault"
    UNSAFE = "unsafe"


# Flags that say that the grader itself failed: a result with one is kept until the next run, which grades again.
FAULTS = frozenset({Flag.EXAMINER_LOST, Flag.SETUP_FAILED, Flag.ENGINE_FAULT})


# Flags of a question that say what the grader lacks and a right answer may need. The student sees them; there is none
# if all tests of the question are passed.
LACKING = frozenset({Flag.MISSING_PACKAGE, Flag.NEWER_PYTHON})


class Stop(StrEnum):
    """What ended before it was done, or was ended: a cell, a test, or what a test had left running."""

    TIMED_OUT = "timed_out"
    MEMORY = "memory"
    PROCESSES = "processes"
    SCRATCH = "scratch"
    DESCRIPTORS = "descriptors"
    EXITED = "exited"  # the kernel's process ended, by itself or by a signal
    KILLED = "killed"  # the kernel was lost, and its guardian reported no reason
    DIED = "died"  # its guardian reported a reason that has no code here
    TEST_TIMED_OUT = "test_timed_out"
    TEST_MEMORY = "test_memory"
    TEST_DIED = "test_died"
    TEST_BROKEN = "test_broken"  # the kernel's reply was malformed, so the kernel cannot be used any more
    AFTER_TEST_TIMED_OUT = "after_test_timed_out"
    AFTER_TEST_DIED = "after_test_died"
    AFTER_TEST_LEFT = "after_test_left"  # the kernel no longer answered the examiner


class Unreadable(StrEnum):
    """Why a submission could not be read."""

    NOTHING = "nothing"
    MEMORY = "memory"
    TIME = "time"
    TOO_DEEP = "too_deep"
    OTHER_FORMAT = "other_format"
    BROKEN_ARCHIVE = "broken_archive"
    LARGE_ARCHIVE = "large_archive"
    FULL_ARCHIVE = "full_archive"
    NO_NOTEBOOK_IN_ARCHIVE = "no_notebook_in_archive"
    NO_CELLS = "no_cells"
    NOT_A_NOTEBOOK = "not_a_notebook"
    TOO_MANY_CELLS = "too_many_cells"
    TOO_MUCH_CODE = "too_much_code"
    WEB_PAGE = "web_page"
    CUT_OFF = "cut_off"
    NOT_JSON = "not_json"


class TestReason(StrEnum):
    """Why a test was not passed."""

    __test__ = False  # not a class for pytest to collect

    CHECK_FAILED = "check_failed"
    NOT_ANSWERED = "not_answered"  # the student's code raised NotImplementedError, as the stub does
    RAISED = "raised"
    UNDEFINED = "undefined"  # the test uses a name that no cell has defined
    NEWER_PYTHON = (
        "newer_python"  # undefined, or raised, since this Python cannot read the code: see the flag
    )
    UNREADABLE_VALUE = "unreadable_value"
    UNUSABLE_VALUE = "unusable_value"
    TIMED_OUT = "timed_out"
    MEMORY = "memory"
    DIED = "died"
    NO_TIME_LEFT = "no_time_left"  # the question's other tests had used it up
    EXAMINER_LOST = "examiner_lost"
    UNREADABLE = "unreadable"
    ENGINE_FAULT = "engine_fault"


Types = Mapping[str, type]
_FAULT: Types = {"error": str}
_NAME: Types = {"name": str}
_POINTS: Types = {"claimed": str, "points": float}
_COUNT: Types = {"count": int}
_LIMITED: Types = {"count": int, "limit": int}
_SECONDS: Types = {"seconds": float}
# {code of a note: the values that its sentence names, with their types}; all others name none.
NOTE_VALUES: dict[str, Types] = {
    Repair.RENAMED_FILE: _NAME,
    Repair.CONVERTED: {"form": str},
    Repair.SALVAGED: _COUNT,
    Repair.POINTS_RESTORED: _POINTS,
    Repair.DATA_RESTORED: _NAME,
    Repair.CELL_TYPE_RESTORED: {"type": str},
    Repair.GIVEN_TYPE_RESTORED: {"type": str},
    Repair.DUPLICATE_DROPPED: _COUNT,
    Repair.DUPLICATE_ANSWER_DROPPED: _COUNT,
    Repair.ANSWER_IN_FILE: {"names": str},
    Repair.MAGIC_SKIPPED: {"name": str},
    Repair.ANOTHER_WEEK: {"title": str},  # also Flag.ANOTHER_WEEK
    Repair.NOTHING_RECOGNISED: {"found": str},  # also the flag
    Flag.DAMAGED_FILE: _COUNT,
    Flag.SEVERAL_NOTEBOOKS: {"graded": str, "others": str},
    Flag.SEVERAL_IN_FILE: _COUNT,
    Flag.SEVERAL_ANSWERS: _COUNT,
    Flag.ANSWERED_BESIDE: {"graded": str, "found": str},
    Flag.MAYBE_AN_ANSWER: {"wanted": str, "found": str},
    Flag.MAYBE_IN_FILE: {"names": str},
    Flag.PICTURE_NOT_SHOWN: {"name": str},
    Flag.TOO_MANY_PICTURES: _LIMITED,
    Flag.TOO_LARGE: {"name": str, "mib": int, "limit": int},
    Flag.TOO_MANY_FILES: {"limit": int},
    Flag.FILE_LEFT_OUT: _NAME,
    Flag.TOO_MANY_CELLS: _LIMITED,
    Flag.TEST_TAMPERED: {"tags": str},
    Flag.POINTS_TAMPERED: _POINTS,
    Flag.FROM_SCRATCH: {"uses": str},
    Flag.FROM_SCRATCH_BESIDE: {"uses": str},
    Flag.FROM_SCRATCH_IN_FILE: {"name": str, "uses": str},
    Flag.MODULE_NAME_TAKEN: _NAME,
    Flag.MISSING_PACKAGE: {"packages": str},
    Flag.NEWER_PYTHON: {"needs": str, "here": str},
    Flag.EXAMINER_LOST: _FAULT,
    Flag.SETUP_FAILED: _FAULT,
    Flag.ENGINE_FAULT: _FAULT,
    Stop.TIMED_OUT: _SECONDS,
    Stop.MEMORY: {"memory_mb": int},
    Stop.SCRATCH: {"scratch_mb": int},
    Stop.TEST_TIMED_OUT: _SECONDS,
}
# The same for the reasons of Flag.UNREADABLE: its values are these and "reason", the code.
UNREADABLE_VALUES: dict[str, Types] = {
    Unreadable.OTHER_FORMAT: {"format": str},
    Unreadable.BROKEN_ARCHIVE: {"format": str},
    Unreadable.LARGE_ARCHIVE: {"limit": int},
    Unreadable.FULL_ARCHIVE: {"limit": int},
    Unreadable.TOO_MANY_CELLS: _LIMITED,
    Unreadable.TOO_MUCH_CODE: {"limit": int},
}


def values_fit(values: Mapping[Any, Any], expected: Types, longest: int) -> bool:
    """Return whether the values have the expected names and types, and no text is longer than `longest`."""
    return values.keys() == expected.keys() and all(
        _fits(values[name], kind, longest) for name, kind in expected.items()
    )


def _fits(value: Any, kind: type, longest: int) -> bool:
    if kind is float:
        return type(value) in (int, float) and math.isfinite(value)
    return type(value) is kind and (type(value) is not str or len(value) <= longest)
