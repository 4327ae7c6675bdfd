"""What reaches the instructor as a sentence instead of a traceback."""


class CourseError(Exception):
    """Something the person at the keyboard can mend: says what is wrong, where, and what to do."""


class Stopped(CourseError):
    """Not one submission's trouble: nothing more can be graded in this run."""
