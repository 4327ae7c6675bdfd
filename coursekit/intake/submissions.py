"""What is in submitted/ and autograded/: who handed in, who has a result, and what is not graded."""

from contextlib import suppress

from coursekit.course.config import Course, Week


def students(course: Course, week: Week) -> list[str]:
    """The ids of the students who handed in something for this week, sorted."""
    folder = course.root / "submitted"
    if not folder.is_dir():
        return []
    return sorted(
        entry.name
        for entry in folder.iterdir()
        if not entry.name.startswith(".") and not entry.is_symlink() and (entry / week.name).is_dir()
    )


def strays(course: Course) -> list[str]:
    """The paths below submitted/ that are not graded, sorted: files beside students' folders and beside weeks, and
    weeks in hidden folders."""
    known, found = {week.name for week in course.weeks}, []
    for entry in (course.root / "submitted").glob("*"):
        with suppress(OSError):  # a folder that cannot be read is reported when its week is graded
            if entry.name.startswith("."):
                found += [f"{entry.name}/{name}" for name in known if (entry / name).is_dir()]
            elif entry.is_symlink() or not entry.is_dir():
                found += [entry.name] if entry.name != "README.md" else []
            else:
                inner = [path.name for path in entry.iterdir() if path.name not in known]
                found += [f"{entry.name}/{name}" for name in inner if not name.startswith(".")]
    return sorted(found)


def graded(course: Course, week: Week) -> list[str]:
    """The ids of the students who have a result for this week, sorted."""
    return sorted(path.parent.parent.name for path in course.results.glob(f"*/{week.name}/result.json"))
