"""Make students' text safe to show in the formgrader and in nbgrader's feedback.

nbgrader renders a written answer as raw HTML on the TA's own Jupyter server, where a script could run code as
the TA. `settings` puts `clean` and `markdown` in place of nbconvert's filters, and adds `Safe`.
"""

import html
import re
import secrets
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import bleach
from nbconvert.filters import markdown2html
from nbconvert.preprocessors import Preprocessor
from nbformat import NotebookNode

# fmt: off
TAGS = frozenset({
    "a", "abbr", "b", "blockquote", "br", "caption", "code", "dd", "del", "details", "div", "dl",
    "dt", "em", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "img", "kbd", "li", "ol", "p", "pre",
    "s", "span", "strong", "sub", "summary", "sup", "table", "tbody", "td", "tfoot", "th", "thead",
    "tr", "u", "ul",
})
# fmt: on
# Pygments' classes for the colours of code, and no other class: the formgrader finds its inputs by class and id.
_CLASS = re.compile(r"highlight|[a-z]{1,2}[0-9]?")
_PICTURE = re.compile(r"data:image/(png|jpeg|gif);base64,[A-Za-z0-9+/=\s]*")
_LARGE_PICTURE = re.compile(r"(?<=;base64,)[A-Za-z0-9+/=]{1000,}")
# The most characters that are shown. Dense markup takes up to 0.1 ms a character, and nobody waits long for a page.
MAX_CELL_CHARACTERS = 50_000
MAX_NOTEBOOK_CHARACTERS = 200_000


def _allowed(tag: str, name: str, value: str) -> bool:
    if name == "class":
        return bool(_CLASS.fullmatch(value))
    if name == "src":  # a picture from elsewhere would tell its server who looks at it
        return tag == "img" and bool(_PICTURE.fullmatch(value))
    if name == "href":
        return tag == "a" and value.startswith(("https://", "http://", "#"))
    return name in {"alt", "title", "colspan", "rowspan"}


def clean(content: str | bytes) -> str:
    """Return the HTML without anything active: tags not in TAGS become text, attributes not `_allowed` are dropped."""
    text = content.decode("utf-8", "replace") if isinstance(content, bytes) else str(content)
    return _without_pictures(text, _cleaned)


def markdown(source: str) -> str:
    """Return a Markdown cell as safe HTML; mathematics is left for MathJax."""
    return _without_pictures(source, lambda text: _cleaned(markdown2html(text)))


def _cleaned(text: str) -> str:
    return str(bleach.clean(text, tags=TAGS, attributes=_allowed, protocols={"http", "https", "data"}))


def _without_pictures(text: str, change: Callable[[str], str]) -> str:
    """Return what `change` makes of a text whose large pictures are put aside: each would take it half a second."""
    mark, pictures = secrets.token_hex(16), []

    def put_aside(match: re.Match[str]) -> str:
        pictures.append(match[0])
        return f"{mark}{len(pictures) - 1:06}"

    changed = change(_LARGE_PICTURE.sub(put_aside, text))
    return (
        re.sub(f"{mark}([0-9]{{6}})", lambda match: pictures[int(match[1])], changed) if pictures else changed
    )


class Safe(Preprocessor):
    """Makes safe the metadata, names and long cells that the filters above do not see.

    Of an output's metadata only a picture's size is kept: nbconvert writes parts of it into tags, unquoted. A
    student's name and id are escaped: the formgrader writes them into its page as they are. Cells that nobody would
    read to their end are cut. Outputs need no cut: the engine has kept no more than the output budget.
    """

    def preprocess(self, nb: NotebookNode, resources: dict[str, Any]) -> tuple[NotebookNode, dict[str, Any]]:
        for name in ("student", "first_name", "last_name"):
            if isinstance(resources.get(name), str):
                resources[name] = html.escape(resources[name])
        remaining = MAX_NOTEBOOK_CHARACTERS
        for cell in nb.cells:
            shown = cell.source[: min(MAX_CELL_CHARACTERS, remaining)]
            remaining -= len(shown)
            if over := len(cell.source) - len(shown):
                cell.source = (
                    f"{shown}\n\n[{over} more characters are not shown here. They are in the notebook.]"
                )
            if cell.cell_type == "markdown":
                cell.source = _with_pictures(cell.source, cell.pop("attachments", {}))
            for output in cell.get("outputs", []):
                if "metadata" in output:
                    output.metadata = _sizes(output.metadata)
        return nb, resources


def _with_pictures(source: str, attachments: dict[str, dict[str, str]]) -> str:
    """Return a Markdown text with its pictures in it: each once, where it is referred to first, or else at the end."""
    for name in sorted(attachments, key=len, reverse=True):
        for kind, data in attachments[name].items():
            picture = f"data:{kind};base64,{data}"
            references = [f"](attachment:{written}" for written in (name, quote(name))]
            if reference := next((one for one in references if one in source), ""):
                source = source.replace(reference, f"]({picture}", 1)
            else:
                source += f"\n\n![]({picture})"
    return source.replace("attachment:", "attachment ")  # nbconvert refuses a page with one that is missing


def _sizes(metadata: dict[str, Any]) -> NotebookNode:
    """Return only the size of the picture from an output's metadata."""
    kept = NotebookNode()
    for mime in ("image/png", "image/jpeg"):
        size = metadata.get(mime)
        if isinstance(size, dict):
            numbers = {key: value for key, value in size.items() if type(value) in (int, float)}
            kept[mime] = {key: numbers[key] for key in ("width", "height") if key in numbers}
    return kept
