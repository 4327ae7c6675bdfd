"""What a notebook can import while it is graded, from the dependency group `answers` of the course's pyproject.toml."""

import re
import tomllib

from coursekit.course.config import Course
from coursekit.engine.shared.errors import CourseError

GROUP = "answers"
# Modules whose names are not their packages'.
MODULES = {"ipython": "IPython", "pillow": "PIL", "scikit-learn": "sklearn"}


def importable(course: Course) -> list[str]:
    """Return the modules, besides Python's own, that a student can rely on: in the order of the alphabet.

    Raises:
        CourseError: pyproject.toml cannot be read, or has no such group.
    """
    warm = [name.partition(".")[0] for name in course.limits.modules]
    return sorted({*warm, *map(module_of, packages(course))}, key=str.lower)


def packages(course: Course) -> list[str]:
    """Return the names of the packages in the group.

    Raises:
        CourseError: pyproject.toml cannot be read, or has no such group.
    """
    path = course.root / "pyproject.toml"
    try:
        group = tomllib.loads(path.read_text(encoding="utf-8"))["dependency-groups"][GROUP]
    except (OSError, ValueError, KeyError) as error:
        raise CourseError(
            f"{path} has no dependency group `{GROUP}` that could be read ({error!r}). It lists the packages that "
            "students can import while their notebooks are graded."
        ) from error
    return [re.split(r"[^\w.-]", requirement)[0].lower() for requirement in group]


def module_of(package: str) -> str:
    """Return the name of a package's module.

    >>> module_of("scikit-learn"), module_of("scipy")
    ('sklearn', 'scipy')
    """
    return MODULES.get(package, package.replace("-", "_"))
