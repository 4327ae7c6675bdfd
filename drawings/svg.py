"""A drawing as SVG: plain shapes and text, nothing that has to be fetched, run or looked up."""

from collections.abc import Iterator
from html import escape

from drawings import style
from drawings.description import Box, Drawing, Frame
from drawings.layout import Place, lay_out
from drawings.routes import Route, find_routes


def draw(name: str, drawing: Drawing) -> str:
    """The text of the SVG file; `name` begins the ids in it.

    Raises:
        ValueError: the drawing's boxes or arrows have no place.
    """
    layout = lay_out(drawing)
    legend, height = _legend(drawing, layout.height)
    width = drawing.width
    elements = [
        f'<title id="{name}-title">{escape(drawing.title)}</title>',
        f'<desc id="{name}-words">{escape(drawing.words)}</desc>',
        f'<rect x="0.5" y="0.5" width="{width - 1}" height="{height - 1:g}" rx="10" fill="{style.CARD}"'
        f' stroke="{style.EDGE}"/>',
        _text(drawing.title, width / 2, style.MARGIN + style.HEADING / 2, style.HEADING, bold=True),
    ]
    for key, frame in drawing.frames.items():
        elements += _frame(frame, layout.places[key])
    routes = find_routes(drawing, layout)
    elements += [element for route in routes for element in _arrow(route)]
    for key, box in drawing.boxes.items():
        elements += _box(box, layout.places[key])
    elements += [element for route in routes for element in _words(route)]
    lines = "\n".join(f"  {element}" for element in [*elements, *legend])
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height:g}" width="{width}" height="{height:g}"'
        f' role="img" aria-labelledby="{name}-title {name}-words">\n{lines}\n</svg>\n'
    )


def _frame(frame: Frame, place: Place) -> Iterator[str]:
    yield _rect(place, "none", style.EDGE, 'rx="10"')
    for words, x, anchor in zip(
        frame.text, (place.left + 12, place.right - 12), ("start", "end"), strict=True
    ):
        if words:
            yield _text(words, x, place.top + 17, style.SMALL, anchor=anchor, bold=True)


def _box(box: Box, place: Place) -> Iterator[str]:
    if box.kind != "note":
        fill, border, _ = style.KINDS[box.kind]
        yield _rect(place, fill, border, _border(box.optional))
    top = place.y - (len(box.text) - 1) / 2 * style.LINE_HEIGHT
    for index, line in enumerate(box.text):
        if not line:
            continue
        first = index == 0 and box.kind != "note"
        size = style.TEXT if first else style.SMALL
        yield _text(line, place.x, top + index * style.LINE_HEIGHT, size, bold=first)


def _arrow(route: Route) -> Iterator[str]:
    colour = style.RESIDUAL if route.residual else style.LINE
    *_, (from_x, from_y), (x, y) = route.points
    across, down = (x > from_x) - (x < from_x), (y > from_y) - (y < from_y)
    neck = (x - across * style.HEAD, y - down * style.HEAD)
    line = " ".join(f"{a:g},{b:g}" for a, b in [*route.points[:-1], neck])
    yield (
        f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="{2.5 if route.residual else 1.5}"'
        ' stroke-linejoin="round"/>'
    )
    wing = style.HEAD * 0.6
    corners = [
        (x, y),
        (neck[0] + down * wing, neck[1] + across * wing),
        (neck[0] - down * wing, neck[1] - across * wing),
    ]
    yield f'<polygon points="{" ".join(f"{a:g},{b:g}" for a, b in corners)}" fill="{colour}"/>'
    if route.residual:
        yield f'<circle cx="{route.points[0][0]:g}" cy="{route.points[0][1]:g}" r="3.5" fill="{colour}"/>'


def _words(route: Route) -> Iterator[str]:
    """The words on an arrow, on a piece of card that interrupts its line."""
    if route.words:
        x, y = route.middle
        wide = max(style.text_width(line, style.SMALL) for line in route.words) / 2 + 2
        high = len(route.words) * style.LINE_HEIGHT / 2
        yield _rect(Place(x - wide, y - high, x + wide, y + high, 0, 0), style.CARD, "none")
        for index, line in enumerate(route.words):
            yield _text(line, x, y - high + (index + 0.5) * style.LINE_HEIGHT, style.SMALL)


def _legend(drawing: Drawing, top: float) -> tuple[list[str], float]:
    """What the colours and lines mean that this drawing uses, and the height of the card below it."""
    used = {box.kind for box in drawing.boxes.values()}
    entries = [(kind, meaning) for kind, (*_, meaning) in style.KINDS.items() if kind in used]
    entries += [("optional", "optional")] if any(box.optional for box in drawing.boxes.values()) else []
    entries += [("residual", "residual connection")] if drawing.residuals else []
    elements: list[str] = []
    x, y = float(style.MARGIN), top + style.LINE_HEIGHT / 2
    for kind, meaning in entries:
        wide = 36 + style.text_width(meaning, style.SMALL) + 20
        if x + wide - 20 > drawing.width - style.MARGIN:
            x, y = float(style.MARGIN), y + style.LINE_HEIGHT + 6
        swatch = Place(x, y - 8, x + 28, y + 8, 0, 0)
        if kind == "residual":
            elements += _arrow(Route([(swatch.left + 3.5, y), (swatch.right, y)], residual=True))
        elif kind == "optional":
            elements.append(_rect(swatch, style.CARD, style.LINE, _border(True)))
        else:
            elements.append(_rect(swatch, *style.KINDS[kind][:2], _border(False)))
        elements.append(_text(meaning, x + 36, y, style.SMALL, anchor="start"))
        x += wide
    return elements, y + style.LINE_HEIGHT / 2 + style.MARGIN - 6


def _border(optional: bool) -> str:
    return 'stroke-width="1.5" rx="6"' + (' stroke-dasharray="5 4"' if optional else "")


def _rect(place: Place, fill: str, stroke: str, more: str = "") -> str:
    wide, high = place.right - place.left, place.bottom - place.top
    return (
        f'<rect x="{place.left:.6g}" y="{place.top:.6g}" width="{wide:.6g}" height="{high:.6g}" fill="{fill}"'
        f' stroke="{stroke}"{" " * bool(more)}{more}/>'
    )


def _text(line: str, x: float, y: float, size: float, *, anchor: str = "middle", bold: bool = False) -> str:
    """A line of text whose middle, in height, is y."""
    shown, family = style.font(line)
    return (
        f'<text x="{x:.6g}" y="{y + size * 0.35:.6g}" font-family="{family}" font-size="{size}"'
        f'{" font-weight=" + chr(34) + "bold" + chr(34) if bold else ""} text-anchor="{anchor}" fill="{style.INK}">'
        f"{escape(shown)}</text>"
    )
