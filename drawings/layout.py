"""Where each box and each frame of a drawing stands, worked out from its rows."""

from dataclasses import dataclass

from drawings import style
from drawings.description import Drawing


@dataclass(frozen=True)
class Place:
    """A rectangle, in pixels from the card's upper left corner; `first` and `last` are its rows."""

    left: float
    top: float
    right: float
    bottom: float
    first: int
    last: int

    @property
    def x(self) -> float:
        return (self.left + self.right) / 2

    @property
    def y(self) -> float:
        return (self.top + self.bottom) / 2


@dataclass(frozen=True)
class Gap:
    """The stretch between two rows in which the words of arrows stand, clear of frames."""

    top: float
    bottom: float


@dataclass(frozen=True)
class Layout:
    """Places of boxes and frames by name; the gaps for the words of arrows, by the row above; the height of it all."""

    places: dict[str, Place]
    gaps: list[Gap]
    height: float


def lay_out(drawing: Drawing) -> Layout:
    """Give every box its place. Rows are as high as their highest box, gaps as high as what stands in them."""
    spans = _spans(drawing)
    frames = {name: [spans[box] for box in frame.around] for name, frame in drawing.frames.items()}
    rows = {
        name: (min(span[0] for span in inside), max(span[1] for span in inside))
        for name, inside in frames.items()
    }
    tops, bottoms, gaps = _rows(drawing, spans, rows)
    places = {
        name: Place(left, tops[first], right, bottoms[last], first, last)
        for name, (first, last, left, right) in spans.items()
    }
    for name, frame in drawing.frames.items():
        inside = [places[box] for box in frame.around]
        lanes = {residual.side for residual in drawing.residuals if residual.around in frame.around}
        first, last = rows[name]
        places[name] = Place(
            min(place.left for place in inside) - style.FRAME_BESIDE - style.LANE * ("left" in lanes),
            tops[first] - style.FRAME_ABOVE,
            max(place.right for place in inside) + style.FRAME_BESIDE + style.LANE * ("right" in lanes),
            bottoms[last] + style.FRAME_BELOW,
            first,
            last,
        )
    return Layout(places, gaps, gaps[-1].bottom)


def _spans(drawing: Drawing) -> dict[str, tuple[int, int, float, float]]:
    """{box: (first row, last row, left, right)}.

    Raises:
        ValueError: the cells of a name are no rectangle.
    """
    sides = {residual.side for residual in drawing.residuals}
    edges = {
        side: style.MARGIN + (style.LANE + style.FRAME_BESIDE) * (side in sides and bool(drawing.frames))
        for side in ("left", "right")
    }
    room = drawing.width - edges["left"] - edges["right"]
    found: dict[str, tuple[int, int, float, float]] = {}
    for row, cells in enumerate(drawing.rows):
        shares = drawing.columns if len(drawing.columns) == len(cells) else [1.0] * len(cells)
        unit = (room - style.BESIDE * (len(cells) - 1)) / sum(shares)
        left = edges["left"]
        seen: dict[str, tuple[float, float]] = {}
        for cell, share in zip(cells, shares, strict=True):
            right = left + unit * share
            if cell:
                seen[cell] = (seen.get(cell, (left, right))[0], right)
            left = right + style.BESIDE
        for name, (start, end) in seen.items():
            first, last, *edges_before = found.get(name, (row, row - 1, start, end))
            if last != row - 1 or edges_before != [start, end]:
                raise ValueError(f"{drawing.title}: the cells of {name} form no rectangle.")
            found[name] = (first, row, start, end)
    return found


def _rows(
    drawing: Drawing, spans: dict[str, tuple[int, int, float, float]], frames: dict[str, tuple[int, int]]
) -> tuple[list[float], list[float], list[Gap]]:
    """The upper and lower edge of each row, and the gap below each."""
    count = len(drawing.rows)
    ends = {name: span[:2] for name, span in spans.items()} | frames
    lines = [0] * count  # of words in the gap below each row
    for arrow in drawing.arrows:
        source, last = ends[arrow.source][0], ends[arrow.target][1]
        if last < source:  # upwards: its words stand right above where it begins
            lines[source - 1] = max(lines[source - 1], len(arrow.label))
    tops, bottoms, gaps = [], [], []
    top = style.MARGIN + style.HEADING + 16.0
    top += style.FRAME_ABOVE * any(first == 0 for first, _ in frames.values())
    for row in range(count):
        bottom = top + max(
            (
                _height(drawing, name)
                if first == last
                else _height(drawing, name) - (bottoms[-1] - tops[first]) - style.GAP
                for name, (first, last, *_) in spans.items()
                if last == row
            ),
            default=style.LINE_HEIGHT,
        )
        tops.append(top)
        bottoms.append(bottom)
        begin = bottom + style.FRAME_BELOW * any(last == row for _, last in frames.values())
        end = begin + (lines[row] * style.LINE_HEIGHT + 34 if lines[row] else style.GAP)
        gaps.append(Gap(begin, end))
        top = end + style.FRAME_ABOVE * any(first == row + 1 for first, _ in frames.values())
    return tops, bottoms, gaps


def _height(drawing: Drawing, name: str) -> float:
    return len(drawing.boxes[name].text) * style.LINE_HEIGHT + 2 * style.INSIDE
