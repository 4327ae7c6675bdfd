"""Narration: each section begins with a listening cell, and each script can be spoken.

The cell holds the section's heading and the script's text, as `common_cells` writes them. The script
`narration/<week>/NN_slug.md` is plain paragraphs, written to be heard.
"""

import re
from collections.abc import Iterator

from coursekit.authoring.lesson.common_cells import length_of
from coursekit.authoring.narration.lexicon import Lexicon, read_lexicon
from coursekit.authoring.narration.script import read_script
from coursekit.authoring.narration.voices import plain
from coursekit.course.config import Course, Week
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import Master

# Of a script, after the lexicon has put words in place of its symbols.
_SPOKEN = re.compile(r"""[A-Za-z0-9 .,;:?!'"()\n-]*""")


def check_narration(course: Course, week: Week, master: Master) -> Iterator[str]:
    """Each section has a listening cell with a script of its own, which can be spoken."""
    used = []
    folder = course.root / "narration" / week.name
    lexicon = read_lexicon(folder.parent / "lexicon.toml")
    for cell in master.cells:
        has_heading = cell.kind == "markdown" and cell.source.startswith("## ")
        name = master.notebook.cells[cell.index].metadata.get("course", {}).get("narration", "")
        if not name:
            if has_heading:
                yield f"section cell {cell.cell_id} is not a listening cell: it has no course.narration"
            continue
        used.append(name)
        if not has_heading:
            yield f"listening cell {cell.cell_id} does not begin with a `## ` heading"
            continue
        wanted = f"listen-{name.replace('_', '-')}"
        if cell.cell_id != wanted or not name.startswith(f"{len(used):02}_"):
            yield (
                f"listening cell {cell.cell_id} with the script {name}: the script should be {len(used):02}_…, "
                f"the cell {wanted}"
            )
        try:
            text = read_script(folder / f"{name}.md")
        except CourseError as error:
            yield str(error)
            continue
        for problem in _check_script(text, lexicon):
            yield f"narration/{week.name}/{name}.md {problem}"
    for path in sorted(folder.glob("*.md")):
        if path.stem not in used:
            yield f"narration/{week.name}/{path.name} belongs to no listening cell"


def _check_script(text: str, lexicon: Lexicon) -> Iterator[str]:
    if not length_of(text):
        yield (f"has {len(text.split())} words: 60 to 240 take the 30 to 90 seconds that a section may have")
    if unspeakable := sorted(set(_SPOKEN.sub("", plain(lexicon.say(text))))):
        yield (
            f"holds {' '.join(unspeakable)}, which cannot be spoken: write it as words, or put it into the lexicon"
        )
    if re.search(r"^\s*(#|[-*] |\d+\. )", text, re.MULTILINE):
        yield "has a heading or a list: write paragraphs"
