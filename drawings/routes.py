"""The way of each arrow, and where its words stand."""

from dataclasses import dataclass

from drawings import style
from drawings.description import Arrow, Drawing, Residual
from drawings.layout import Layout, Place

Point = tuple[float, float]


@dataclass(frozen=True)
class Route:
    """An arrow: its corners from where it begins to its head, and its lines of words around their middle."""

    points: list[Point]
    residual: bool = False
    words: tuple[str, ...] = ()
    middle: Point = (0, 0)


def find_routes(drawing: Drawing, layout: Layout) -> list[Route]:
    """All arrows, residual connections last.

    Raises:
        ValueError: an arrow would pass through a box, or there is no straight way between its ends.
    """
    straight = {(arrow.source, arrow.target): _straight(drawing, arrow, layout) for arrow in drawing.arrows}
    around = []
    for residual in drawing.residuals:
        upwards = (
            route.points[-1][0]
            for (_, target), route in straight.items()
            if target == residual.around and route.points[0][1] > route.points[-1][1]
        )
        if (x := next(upwards, None)) is None:
            raise ValueError(f"{drawing.title}: no arrow leads up to {residual.around}.")
        around.append(_around(residual, x, layout))
    routes = [*straight.values(), *around]
    for route in routes:
        for name in drawing.boxes:
            if any(
                _meets(layout.places[name], *leg) for leg in zip(route.points, route.points[1:], strict=False)
            ):
                raise ValueError(f"{drawing.title}: an arrow passes through {name}.")
    return routes


def _straight(drawing: Drawing, arrow: Arrow, layout: Layout) -> Route:
    source, target = layout.places[arrow.source], layout.places[arrow.target]
    words = tuple(arrow.label)
    x = _shared(source.left, source.right, target.left, target.right)
    y = _shared(source.top, source.bottom, target.top, target.bottom)
    if x is not None and target.bottom < source.top:
        gap = layout.gaps[source.first - 1]
        return Route([(x, source.top), (x, target.bottom)], False, words, (x, (gap.top + gap.bottom) / 2))
    if y is not None and (target.left > source.right or target.right < source.left):
        begin, end = (
            (source.right, target.left) if target.left > source.right else (source.left, target.right)
        )
        above = y - 6 - style.LINE_HEIGHT * len(words) / 2
        return Route([(begin, y), (end, y)], False, words, ((begin + end) / 2, above))
    raise ValueError(
        f"{drawing.title}: there is no straight way up or sideways from {arrow.source} to {arrow.target}."
    )


def _around(residual: Residual, x: float, layout: Layout) -> Route:
    """From the arrow at x, below the part, along the lane beside it."""
    part, target = layout.places[residual.around], layout.places[residual.target]
    y = part.bottom + style.BRANCH
    out = 1 if residual.side == "right" else -1
    edge = max(part.right, target.right) if out > 0 else min(part.left, target.left)
    lane = edge + out * style.LANE
    return Route(
        [(x, y), (lane, y), (lane, target.y), (target.right if out > 0 else target.left, target.y)], True
    )


def _shared(left: float, right: float, other_left: float, other_right: float) -> float | None:
    """The middle of what two stretches share; None if that is nothing."""
    begin, end = max(left, other_left), min(right, other_right)
    return (begin + end) / 2 if begin < end else None


def _meets(place: Place, start: Point, end: Point) -> bool:
    """Whether a line, upright or level, passes through the inside of a rectangle."""
    (left, right), (top, bottom) = sorted((start[0], end[0])), sorted((start[1], end[1]))
    return left < place.right and right > place.left and top < place.bottom and bottom > place.top
