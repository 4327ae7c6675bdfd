"""The drawings in the notebooks: an `<img>` element each, whose alt text is the drawing's words."""

import json
import re
from html import escape, unescape
from pathlib import Path

from drawings.description import Drawing

IMAGE = re.compile(r'<img\s+src="\{\{published\}\}drawings/([\w-]+)\.svg(?:\?\w+=\w+)?"[^>]*>')
# GitHub serves a raw SVG as text, which no page shows as an image, unless it is asked to sanitize it.
AS_IMAGE = "?sanitize=true"
ALT = re.compile(r'\salt="([^"]*)"')


def element(name: str, drawing: Drawing) -> str:
    """The element that shows a drawing, on one line: Markdown would read some words at a line's beginning as a list."""
    alt = escape(drawing.words)
    return f'<img src="{{{{published}}}}drawings/{name}.svg{AS_IMAGE}" alt="{alt}" width="{drawing.width}">'


def images(path: Path) -> dict[str, str]:
    """{drawing: its alt text, on one line} of all drawings that a source notebook shows, "" where there is none."""
    found = {}
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        for image in IMAGE.finditer("".join(cell["source"])):
            alt = ALT.search(image[0])
            found[image[1]] = " ".join(unescape(alt[1]).split()) if alt else ""
    return found


def bring_up_to_date(path: Path, drawings: dict[str, Drawing]) -> bool:
    """Write each image in a source notebook anew, from its drawing; tells whether anything changed.

    Raises:
        ValueError: it shows a drawing that there is not.
    """
    notebook = json.loads(path.read_text(encoding="utf-8"))
    changed = False
    for cell in notebook["cells"]:
        old = "".join(cell["source"])
        if unknown := {image[1] for image in IMAGE.finditer(old)} - set(drawings):
            raise ValueError(f"{path}: there is no drawing {', '.join(sorted(unknown))}.")
        new = IMAGE.sub(lambda image: element(image[1], drawings[image[1]]), old)
        if new != old:
            changed, cell["source"] = True, new.splitlines(keepends=True)
    if changed:
        text = json.dumps(notebook, ensure_ascii=False, indent=1) + "\n"
        path.write_text(text, encoding="utf-8", newline="\n")
    return changed
