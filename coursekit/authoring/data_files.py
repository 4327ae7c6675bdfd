"""The files beside a week's notebook: students get all of them, and the notebook's code finds them where it runs."""

import importlib.util
import re
from pathlib import Path, PurePosixPath

from coursekit.course.config import Course
from coursekit.engine.shared.file_names import importable_modules
from coursekit.engine.shared.master import Master

README = "README.md"  # tells people where the files are from; no cell has to name it


def unnamed(master: Master) -> list[str]:
    """Return a sentence for each file that no cell of the students' notebook names: it may be the instructor's own.

    A module is named by its import, and a file in a folder by the folder. What the week's own modules name counts, too.
    """
    text = "\n".join(map(master.released_source, master.cells))
    for file in master.data_files:
        if file.name.endswith(".py"):
            text += "\n" + Path(file.path).read_text(encoding="utf-8", errors="replace")
    return [
        f"students would get {file.name} from source/{master.week}/, which no cell of the notebook names. Move it to "
        "another folder, or name it in the cell that reads it."
        for file in master.data_files
        if file.name != README and not re.search(rf"\b{re.escape(_known_as(file.name))}\b", text)
    ]


def _known_as(name: str) -> str:
    """Return the word under which code speaks of a file: its name, a module's, or that of the folder that it is in."""
    path = PurePosixPath(name)
    return path.parts[0] if len(path.parts) > 1 else path.stem if path.suffix == ".py" else path.name


def taken_names(master: Master) -> list[str]:
    """Return a sentence for each module beside the notebook that has the name of one that is installed.

    In a student's notebook, the file beside it is imported; while grading, the module that is installed.
    """
    problems = []
    for name in importable_modules(file.name for file in master.data_files):
        if importlib.util.find_spec(name) is not None:
            problems.append(
                f"source/{master.week}/ has the module {name}, and another one with this name is installed here, which "
                "would be imported in its place while the notebook is graded: give it another name"
            )
    return problems


def wrong_addresses(course: Course, master: Master) -> list[str]:
    """Return a sentence for each address below the week's folder in the students' repository that leads to no file.

    Other addresses in code cells are not looked at.
    """
    base = course.repository.files(master.week)
    names = {file.name for file in master.data_files}
    return [
        f"cell {cell.cell_id or cell.index} has the address of {name}, which is not in source/{master.week}/"
        for cell in master.cells
        if cell.kind == "code"
        for name in re.findall(re.escape(base) + r"([\w./-]*\w\.\w+)", cell.source)
        if name not in names
    ]
