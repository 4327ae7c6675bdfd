"""What a drawing shows, as its TOML file says it. No places: these follow from the rows."""

from pathlib import Path
from typing import Literal

import msgspec

HERE = Path(__file__).parent


class Box(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A box: its name and further lines; a line in backticks is code.

    `kind` is what it stands for; a note is text without a box. What is optional has a dashed border.
    """

    kind: Literal["data", "operation", "learned", "note"]
    text: list[str]
    optional: bool = False


class Arrow(
    msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"source": "from", "target": "to"}
):
    """An arrow between two boxes or frames, with the lines that stand on it: the shape of what it carries."""

    source: str
    target: str
    label: list[str] = []


class Residual(msgspec.Struct, frozen=True, forbid_unknown_fields=True, rename={"target": "to"}):
    """A residual connection: from the arrow into `around`, past that part on one side, to the addition."""

    around: str
    target: str
    side: Literal["left", "right"]


class Frame(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A frame around boxes, with words in its two upper corners; between them an arrow may leave it."""

    around: list[str]
    text: tuple[str, str] = ("", "")


class Drawing(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A drawing.

    Attributes:
        title: its heading.
        words: what it shows, for those who do not see it: the `<desc>`, and the notebook's alt text.
        width: pixels at which it is shown.
        rows: names of boxes, from the top down. The cells of a row share its width equally; a name that stands in
            neighbouring cells, of one row or of several, is one large box; "" is left free.
        columns: how wide the cells are relative to one another, for rows with as many cells.
    """

    title: str
    words: str
    width: int
    rows: list[list[str]]
    boxes: dict[str, Box]
    arrows: list[Arrow]
    residuals: list[Residual] = []
    frames: dict[str, Frame] = {}
    columns: list[float] = []


def names() -> list[str]:
    """The names of all drawings, sorted."""
    return sorted(path.stem for path in HERE.glob("*.toml"))


def read(name: str) -> Drawing:
    """One drawing.

    Raises:
        ValueError: it is not as `Drawing` asks, or names a box that it does not describe; says which.
    """
    path = HERE / f"{name}.toml"
    try:
        drawing = msgspec.toml.decode(path.read_bytes(), type=Drawing)
    except msgspec.DecodeError as error:
        raise ValueError(f"{path.name}: {error}") from error
    drawing = msgspec.structs.replace(drawing, words=" ".join(drawing.words.split()))
    placed = {cell for row in drawing.rows for cell in row if cell}
    ends = {end for arrow in drawing.arrows for end in (arrow.source, arrow.target)}
    ends |= {end for residual in drawing.residuals for end in (residual.around, residual.target)}
    framed = {box for frame in drawing.frames.values() for box in frame.around}
    for what, found in (
        ("stands in no row", set(drawing.boxes) - placed),
        ("is not described under [boxes]", (placed | framed) - set(drawing.boxes)),
        ("is neither a box nor a frame", ends - set(drawing.boxes) - set(drawing.frames)),
    ):
        if found:
            raise ValueError(f"{path.name}: {', '.join(sorted(found))} {what}.")
    return drawing
