"""Exceptions that reach the instructor as a sentence instead of a traceback."""


class CourseError(Exception):
    """A problem that the user can solve. The message names it and its place, and says what to do."""


class Stopped(CourseError):
    """A problem that is not one submission's: nothing more can be graded in this run."""
