"""Narration: each section begins with a listening cell, and each script can be spoken.

A listening cell holds the section's heading and a link to its script, which is also the transcript. The script
`narration/<week>/NN_slug.md` is plain paragraphs, written for the ear.
"""

import re

from coursekit.course import Course, Week
from coursekit.master import Master
from coursekit.narrate.lexicon import Lexicon, read_lexicon
from coursekit.narrate.voices import plain

# Words of a script at about 150 a minute, and what the listening cell says of it.
LENGTHS = {
    range(60, 113): "about 30 seconds",
    range(113, 188): "about 1 minute",
    range(188, 241): "about 90 seconds",
}
# Of a script, after the lexicon has put words in place of its symbols.
_SPOKEN = re.compile(r"""[A-Za-z0-9 .,;:?!'"()\n-]*""")


def listening_cell(course: Course, week: Week, heading: str, name: str, length: str) -> str:
    """Source of a listening cell: `heading` is its `## ` line, `name` the script's file name without .md."""
    return f"{heading}\n\n*Listen: [{length}]({course.repository.page(f'narration/{week.name}/{name}.md')})*"


def check_narration(course: Course, week: Week, master: Master) -> list[str]:
    """Problems of the week's listening cells and scripts."""
    problems = []
    used = []
    folder = course.root / "narration" / week.name
    lexicon = read_lexicon(folder.parent / "lexicon.toml")
    for cell, node in zip(master.cells, master.notebook.cells, strict=True):
        heading = re.match(r"## .*", cell.source) if cell.kind == "markdown" else None
        name = node.metadata.get("course", {}).get("narration", "")
        if heading and not name:
            problems.append(f"section cell {cell.cell_id} is no listening cell: it has no course.narration")
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
        length = next((label for words, label in LENGTHS.items() if len(text.split()) in words), "")
        if length and cell.source != listening_cell(course, week, heading[0], name, length):
            problems.append(
                f"listening cell {cell.cell_id} is not its heading and a link to {name}.md ({length})"
            )
    unused = sorted(path.stem for path in folder.glob("*.md") if path.stem not in used)
    problems += [f"narration/{week.name}/{name}.md belongs to no listening cell" for name in unused]
    return problems


def _check_script(text: str, lexicon: Lexicon) -> list[str]:
    problems = []
    words = len(text.split())
    if not any(words in allowed for allowed in LENGTHS):
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
