"""Convert a master with nbgrader's own converter, without a database and without a file.

nbgrader's modules take 1.7 s to import, so they are imported where they are used.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from copy import deepcopy
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import nbformat

from coursekit.course.config import Course
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import Master

if TYPE_CHECKING:
    from traitlets.config import Config


@dataclass(frozen=True)
class Converted:
    """The notebooks that nbgrader makes from a master.

    Attributes:
        for_gradebook: the one of which nbgrader saves the cells: stubs for solutions, hidden tests, checksums.
        released: the students' notebook.
        data: the bytes of `released`.
    """

    for_gradebook: nbformat.NotebookNode
    released: nbformat.NotebookNode
    data: bytes


def convert(course: Course, master: Master) -> Converted:
    """Run nbgrader's generate_assignment steps on a master, and return the notebooks that they make.

    The result is cached: do not change it.

    Raises:
        CourseError: nbgrader refuses the notebook, it has a task cell, or nbgrader_config.py cannot be used.
    """
    config = course.root / "nbgrader_config.py"
    changed = config.stat().st_mtime_ns if config.exists() else 0
    return _convert(course.root.resolve(), master, changed)


@lru_cache(maxsize=8)
def _convert(root: Path, master: Master, settings_changed: int) -> Converted:
    from nbconvert.exporters import NotebookExporter
    from nbgrader.converters import GenerateAssignment
    from nbgrader.coursedir import CourseDirectory
    from nbgrader.preprocessors import NbGraderPreprocessor, SaveCells

    where = f"source/{master.week}/{master.name}.ipynb"
    if any(node.metadata.get("nbgrader", {}).get("task") for node in master.notebook.cells):
        raise CourseError(f"{where} has a task cell. Use a markdown cell that is graded by hand instead.")
    saved: list[nbformat.NotebookNode] = []

    class KeepInMemory(NbGraderPreprocessor):
        """Takes the place of the step that saves the cells to nbgrader's database."""

        def preprocess(
            self, nb: nbformat.NotebookNode, resources: dict[str, Any]
        ) -> tuple[nbformat.NotebookNode, dict[str, Any]]:
            saved.append(deepcopy(nb))
            return nb, resources

    names = {"assignment": master.week, "notebook": master.name}
    with _collected_errors() as errors:
        try:
            config = read_config(root)
            steps = GenerateAssignment(coursedir=CourseDirectory(config=config), config=config).preprocessors
            config.Exporter.default_preprocessors = []
            exporter = NotebookExporter(config=config)
            for step in steps:
                exporter.register_preprocessor(
                    KeepInMemory if step is SaveCells else step, enabled=step is SaveCells
                )
            text, _ = exporter.from_notebook_node(
                deepcopy(master.notebook),
                resources={
                    "unique_key": master.name,
                    "metadata": {"name": master.name, "path": str(root / "source" / master.week)},
                    "nbgrader": names | {"student": ".", "db_url": ""},
                },
            )
        except CourseError:
            raise
        except Exception as error:
            reason = errors[-1] if errors else f"{type(error).__name__}: {error}"
            raise CourseError(f"nbgrader cannot make a release of {where}: {reason}") from error
    if not saved:
        raise CourseError("nbgrader_config.py takes SaveCells out of GenerateAssignment. Leave it in.")
    return Converted(saved[0], nbformat.reads(text, as_version=4), text.encode())


def read_config(root: Path) -> "Config":
    """Read nbgrader's settings of a course folder; without nbgrader_config.py, they hold only the folder.

    Raises:
        CourseError: the file cannot be run.
    """
    from traitlets.config import Config
    from traitlets.config.loader import PyFileConfigLoader

    path = root / "nbgrader_config.py"
    try:
        config = PyFileConfigLoader(path.name, path=str(root)).load_config() if path.exists() else Config()
    except Exception as error:  # it is Python, which may raise anything
        raise CourseError(f"{path} cannot be read ({type(error).__name__}: {error}). Correct it.") from error
    config.CourseDirectory.root = str(root)
    return config


@contextmanager
def _collected_errors() -> Iterator[list[str]]:
    """KeepInMemory nbgrader's log off the terminal; yield the list of the errors that it logs."""
    from traitlets.log import get_logger

    errors: list[str] = []

    class Collect(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            errors.append(record.getMessage())

    log = get_logger()
    logger = log.logger if isinstance(log, logging.LoggerAdapter) else log
    handlers, propagate, level = logger.handlers[:], logger.propagate, logger.level
    logger.handlers, logger.propagate = [Collect(logging.ERROR)], False
    try:
        yield errors
    finally:
        logger.handlers, logger.propagate = handlers, propagate
        logger.setLevel(level)
