"""The two cells with which a section begins: its heading with the narration's text, and a player.

Where no code has run, on GitHub's page of a notebook for one, the heading's cell still has the text and a link to the
sound. `common_cells` writes both cells, `check.narration` proves them.
"""

import re

from coursekit.authoring.narration.manifest import Entry

# Words of a script at about 150 per minute, and what its cells say of it.
LENGTHS = {
    range(60, 113): "about 30 seconds",
    range(113, 188): "about 1 minute",
    range(188, 241): "about 90 seconds",
}


def length_of(script: str) -> str:
    """How long a script takes, in words; "" when it is too short or too long."""
    return next((label for words, label in LENGTHS.items() if len(script.split()) in words), "")


def is_player(name: str, source: str) -> bool:
    """Whether a cell with this id is a player, and not one of the author's own.

    >>> is_player("play-02-softmax", '# @title Listen\\nlisten("02_softmax")'), is_player("play-a-game", "dice = 6")
    (True, False)
    """
    return name.startswith("play-") and "\nlisten(" in source


def heading_cell(heading: str, name: str, script: str, entry: Entry | None) -> str:
    """The source of the markdown cell.

    Args:
        heading: its `## ` line.
        name: the script's file name without .md.
        script: its text.
        entry: of the manifest, or None while the script has no sound.
    """
    parts = [heading]
    if entry:
        voice = ", synthetic voice" if entry.synthetic else ""
        parts.append(
            f"*Listen: run the next cell, or [play it here]({{{{narration}}}}{name}.mp3) "
            f"({length_of(script)}{voice}).*"
        )
    parts += ["<details><summary>Read</summary>", script.strip(), "</details>"]
    return "\n\n".join(parts)


def player_cell(heading: str, name: str, script: str) -> tuple[str, str]:
    """(id, source) of the code cell.

    >>> player_cell("## 6. Why divide by $\\\\sqrt{d_k}$?", "06_scaling", "word " * 130)[1]
    '# @title Listen: Why divide by √d_k? (about 1 minute)\\nlisten("06_scaling")'
    """
    title = re.sub(r"^## (\d+\. )?", "", heading)
    title = re.sub(r"\\sqrt\{(.*?)\}", r"√\1", title).replace("$", "")
    return (
        f"play-{name.replace('_', '-')}",
        f'# @title Listen: {title} ({length_of(script)})\nlisten("{name}")',
    )
