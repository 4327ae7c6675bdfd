"""Narration: each section begins with a listening cell, and each script can be spoken.

The cell holds the section's heading and the script's text; the player is in the cell below it. The script
`narration/<week>/NN_slug.md` is plain paragraphs, written for the ear.
"""

import re

from coursekit.authoring.lesson.listening import heading_cell, length_of, player_cell
from coursekit.authoring.narration.lexicon import Lexicon, read_lexicon
from coursekit.authoring.narration.manifest import read_manifest
from coursekit.authoring.narration.voices import plain
from coursekit.course.config import Course, Week
from coursekit.engine.shared.errors import CourseError
from coursekit.engine.shared.master import Master

# Of a script, after the lexicon has put words in place of its symbols.
_SPOKEN = re.compile(r"""[A-Za-z0-9 .,;:?!'"()\n-]*""")


def check_narration(course: Course, week: Week, master: Master) -> list[str]:
    """Problems of the week's listening cells and scripts."""
    problems = []
    used = []
    folder = course.root / "narration" / week.name
    lexicon = read_lexicon(folder.parent / "lexicon.toml")
    try:
        entries = read_manifest(folder.parent)
    except CourseError as error:
        return [str(error)]
    sounds = course.repository.addresses(week.name, week.notebook)["narration"]
    below = [*master.cells[1:], None]
    for cell, node, player in zip(master.cells, master.notebook.cells, below, strict=True):
        heading = re.match(r"## .*", cell.source) if cell.kind == "markdown" else None
        name = node.metadata.get("course", {}).get("narration", "")
        if heading and not name:
            problems.append(
                f"section cell {cell.cell_id} is not a listening cell: it has no course.narration"
            )
        if not name:
            continue
        used.append(name)
        if not heading:
            problems.append(f"listening cell {cell.cell_id} does not begin with a `## ` heading")
            continue
        wanted = f"listen-{name.replace('_', '-')}"
        if cell.cell_id != wanted or not name.startswith(f"{len(used):02}_"):
            problems.append(
                f"listening cell {cell.cell_id} with the script {name}: the script should be {len(used):02}_…, "
                f"the cell {wanted}"
            )
        try:
            text = (folder / f"{name}.md").read_text(encoding="utf-8")
        except OSError:
            problems.append(f"narration/{week.name}/{name}.md is missing")
            continue
        problems += [f"narration/{week.name}/{name}.md {problem}" for problem in _check_script(text, lexicon)]
        if not length_of(text):
            continue
        entry = entries.get(f"{week.name}/{name}")
        source = heading_cell(heading[0], name, text, entry).replace("{{narration}}", sounds)
        if cell.source != source:
            problems.append(
                f"listening cell {cell.cell_id} is not made of its heading and the text of {name}.md: run "
                "`python -m coursekit.authoring.lesson.common_cells`"
            )
        shown = player is not None and (player.cell_id, player.source)
        if entry and (player is None or shown != player_cell(heading[0], name, text) or player.repeated):
            problems.append(
                f"below listening cell {cell.cell_id} its player is missing: run "
                "`python -m coursekit.authoring.lesson.common_cells`"
            )
    unused = sorted(path.stem for path in folder.glob("*.md") if path.stem not in used)
    problems += [f"narration/{week.name}/{name}.md belongs to no listening cell" for name in unused]
    return problems


def _check_script(text: str, lexicon: Lexicon) -> list[str]:
    problems = []
    words = len(text.split())
    if not length_of(text):
        problems.append(f"has {words} words: 60 to 240 take the 30 to 90 seconds that a section may have")
    spoken = plain(lexicon.say(text))
    if not _SPOKEN.fullmatch(spoken):
        strange = sorted(set(re.sub(_SPOKEN, "", spoken)))
        problems.append(
            f"holds {' '.join(strange)}, which cannot be spoken: write it as words, or put it into the lexicon"
        )
    if re.search(r"^\s*(#|[-*] |\d+\. )", text, re.MULTILINE):
        problems.append("has a heading or a list: write paragraphs")
    return problems
