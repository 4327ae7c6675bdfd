"""The tool that grades a course.

What other programs may use is in `__all__`, and docs/package.md describes it. Everything else is private and may change
from one version to the next. A name is imported when it is first used, so that a program that only grades
notebooks loads no gradebook.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from coursekit.authoring.checks.check import Check as Check, check_week as check_week
    from coursekit.authoring.release import release as release
    from coursekit.course.config import Course as Course, Week as Week, open_course as open_course
    from coursekit.deliver.export import export_csv as export_csv
    from coursekit.engine.coordinator.grade import grade as grade, warm_modules as warm_modules
    from coursekit.engine.coordinator.outcome import Graded as Graded
    from coursekit.engine.coordinator.servers import Servers as Servers
    from coursekit.engine.shared.data_files import DataFile as DataFile
    from coursekit.engine.shared.errors import CourseError as CourseError, Stopped as Stopped
    from coursekit.engine.shared.limits import Limits as Limits
    from coursekit.engine.shared.master import Master as Master, fill as fill, read_master as read_master
    from coursekit.engine.shared.result import Result as Result
    from coursekit.gradebook.marks import Marks as Marks, marks as marks
    from coursekit.gradebook.settings import configure_nbgrader as configure_nbgrader
    from coursekit.grading.place import Here as Here, Place as Place
    from coursekit.intake.collect import collect as collect
    from coursekit.pipeline import (
        FeedbackPages as FeedbackPages,
        GradedWeek as GradedWeek,
        feedback_week as feedback_week,
        grade_week as grade_week,
    )

_MODULES = {
    "authoring.checks.check": ("Check", "check_week"),
    "authoring.release": ("release",),
    "course.config": ("Course", "Week", "open_course"),
    "deliver.export": ("export_csv",),
    "engine.coordinator.grade": ("grade", "warm_modules"),
    "engine.coordinator.outcome": ("Graded",),
    "engine.coordinator.servers": ("Servers",),
    "engine.shared.data_files": ("DataFile",),
    "engine.shared.errors": ("CourseError", "Stopped"),
    "engine.shared.limits": ("Limits",),
    "engine.shared.master": ("Master", "fill", "read_master"),
    "engine.shared.result": ("Result",),
    "gradebook.marks": ("Marks", "marks"),
    "gradebook.settings": ("configure_nbgrader",),
    "grading.place": ("Here", "Place"),
    "intake.collect": ("collect",),
    "pipeline": ("FeedbackPages", "GradedWeek", "feedback_week", "grade_week"),
}
_WHERE = {name: module for module, names in _MODULES.items() for name in names}

__all__ = sorted(_WHERE)


def __getattr__(name: str) -> Any:
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)
