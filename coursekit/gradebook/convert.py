"""What nbgrader makes of a master: its own converter, without a database and without a file.

nbgrader's modules take 1.7 s to import, so they are imported where they are used.
"""

import json
import logging
from contextlib import contextmanager
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import nbformat

from coursekit.course.config import Course, Week
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import Master


@dataclass(frozen=True)
class Converted:
    """What nbgrader makes of a master.

    `graded` is the notebook as nbgrader saves its cells to the gradebook: solutions replaced by stubs, hidden
    tests still there, checksums set. It is also what a rebuilt submission must look like, cell for cell, for
    the formgrader. `released` is what students get, and `data` its bytes.
    """

    graded: nbformat.NotebookNode
    released: nbformat.NotebookNode
    data: bytes


def convert(course: Course, week: Week, master: Master) -> Converted:
    """Run nbgrader's generate_assignment steps on a master, without a database and without writing a file.

    The result is kept for the process: do not change it.

    Raises:
        CourseError: nbgrader refuses the notebook.
    """
    config = course.root / "nbgrader_config.py"
    stamp = config.stat().st_mtime_ns if config.exists() else 0
    return _convert(course.root.resolve(), week.name, week.notebook, _Keyed(master, stamp))


class _Keyed:
    """A master as a cache key: two of equal bytes, under the same settings, are one."""

    def __init__(self, master: Master, stamp: int):
        self.master, self.key = master, (master.digest, stamp)

    def __hash__(self):
        return hash(self.key)

    def __eq__(self, other):
        return self.key == other.key


@lru_cache(maxsize=8)
def _convert(root: Path, week: str, name: str, keyed: _Keyed) -> Converted:
    from nbconvert.exporters import NotebookExporter
    from nbgrader.converters import GenerateAssignment
    from nbgrader.coursedir import CourseDirectory
    from nbgrader.preprocessors import NbGraderPreprocessor, SaveCells

    master = keyed.master
    where = f"source/{week}/{name}.ipynb"
    if any(node.metadata.get("nbgrader", {}).get("task") for node in master.notebook.cells):
        raise CourseError(f"{where} has a task cell. Use a markdown cell that is graded by hand instead.")
    saved = []

    class Keep(NbGraderPreprocessor):
        """Stands where nbgrader saves the cells to its database."""

        def preprocess(self, nb, resources):
            saved.append(_copy(nb))
            return nb, resources

    with _quiet() as said:
        try:
            config = read_config(root)
            steps = GenerateAssignment(coursedir=CourseDirectory(config=config), config=config).preprocessors
            config.Exporter.default_preprocessors = []
            exporter = NotebookExporter(config=config)
            for step in steps:
                exporter.register_preprocessor(Keep if step is SaveCells else step, enabled=step is SaveCells)
            text, _ = exporter.from_notebook_node(
                _copy(master.notebook),
                resources={
                    "unique_key": name,
                    "metadata": {"name": name, "path": str(root / "source" / week)},
                    "nbgrader": {"student": ".", "assignment": week, "notebook": name, "db_url": ""},
                },
            )
        except CourseError:
            raise
        except Exception as error:
            reason = said[-1] if said else f"{type(error).__name__}: {error}"
            raise CourseError(f"nbgrader cannot make a release of {where}: {reason}") from error
    if not saved:
        raise CourseError("nbgrader_config.py takes SaveCells out of GenerateAssignment. Leave it in.")
    return Converted(saved[0], nbformat.reads(text, as_version=4), text.encode())


def _copy(notebook):
    return nbformat.from_dict(json.loads(json.dumps(notebook)))


def read_config(root: Path):
    """nbgrader's settings of a course folder, a traitlets Config; empty where there is no nbgrader_config.py.

    Raises:
        CourseError: the file cannot be run.
    """
    from traitlets.config import Config
    from traitlets.config.loader import PyFileConfigLoader

    path = root / "nbgrader_config.py"
    try:
        config = PyFileConfigLoader(path.name, path=str(root)).load_config() if path.exists() else Config()
    except Exception as error:  # it is Python: whatever that may raise
        raise CourseError(f"{path} cannot be read ({type(error).__name__}: {error}). Mend it.") from error
    config.CourseDirectory.root = str(root)
    return config


@contextmanager
def _quiet():
    """Keep nbgrader's log off the terminal; yields the list of what it said as errors."""
    said: list[str] = []

    class Listen(logging.Handler):
        def emit(self, record):
            said.append(record.getMessage())

    from traitlets import log

    logger = log.get_logger()
    handlers, propagate, level = logger.handlers[:], logger.propagate, logger.level
    logger.handlers, logger.propagate = [Listen(logging.ERROR)], False
    try:
        yield said
    finally:
        logger.handlers, logger.propagate = handlers, propagate
        logger.setLevel(level)
