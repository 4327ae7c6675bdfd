"""The students' README: the weeks with their badges, how to hand in, how marks are computed."""

import ast
import sys
from collections.abc import Iterable
from contextlib import suppress
from importlib.resources import files

from jinja2 import Environment, StrictUndefined

from coursekit.authoring import lesson_cells
from coursekit.authoring.narration.manifest import read_manifest
from coursekit.authoring.readme import badge
from coursekit.course.addresses import ASSETS
from coursekit.course.config import Course, Week
from coursekit.engine.shared.master import Master
from coursekit.engine.shared.syntax import PARSER_LOCK

SUPPLIED = {"IPython", "google"}  # IPython by all that runs notebooks, google by Colab
TEMPLATE = files("coursekit.authoring.publish") / "students_readme.md.j2"


def students_page(course: Course, weeks: list[Week]) -> str:
    """Return README.md of the students' repository, as Markdown."""
    masters = {week.name: course.master(week) for week in weeks}
    narration = course.root / "narration"
    voices = {
        f"{entry.engine} ({entry.licence})"
        for name, entry in read_manifest(narration).items()
        if entry.synthetic and name.partition("/")[0] in masters
    }
    markdown = Environment(
        undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True, keep_trailing_newline=True
    )
    return markdown.from_string(TEMPLATE.read_text(encoding="utf-8")).render(
        course=course,
        weeks=[
            (course.weeks.index(week) + 1, week, f"{masters[week.name].total_points:g}", badge(course, week))
            for week in weeks
        ],
        deadlines=any(week.deadline for week in weeks),
        narrated=any(any((narration / name).glob("*.md")) for name in masters),
        voices=sorted(voices),
        packages=_packages(masters.values()),
        cells={cell.cell_id for master in masters.values() for cell in master.cells},
        tutor=lesson_cells.TUTOR,
        hand_in=lesson_cells.HAND_IN,
        explorer=(course.root / ASSETS / "explorer" / "index.html").is_file(),
    )


def _packages(masters: Iterable[Master]) -> list[str]:
    """Return the modules that the setup cells import and students must install, in the order of the imports."""
    imported: dict[str, None] = {}
    for master in masters:
        with suppress(SyntaxError), PARSER_LOCK:  # two threads must not parse at once
            for node in ast.walk(ast.parse(master.setup_source)):
                names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
                names += [node.module or ""] if isinstance(node, ast.ImportFrom) else []
                imported |= dict.fromkeys(name.partition(".")[0] for name in names)
    return [name for name in imported if name not in sys.stdlib_module_names | SUPPLIED]
