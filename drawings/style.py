"""How all drawings look: sizes in pixels, colours with one meaning each. Dark text on a light card, on any page."""

INK = "#111827"
CARD = "#ffffff"
EDGE = "#6b7280"  # of the card and of frames
LINE = "#374151"  # of arrows
RESIDUAL = "#15803d"

# kind: (fill, border, what it means)
KINDS = {
    "data": ("#dbeafe", "#1d4ed8", "data"),
    "operation": ("#e5e7eb", "#374151", "operation"),
    "learned": ("#fde68a", "#92400e", "with learned parameters"),
}

SANS = "Arial, Helvetica, 'Liberation Sans', 'DejaVu Sans', sans-serif"
CODE = "Menlo, Consolas, 'DejaVu Sans Mono', monospace"
TEXT = 15
SMALL = 14  # code, and all further lines
HEADING = 18
WIDTH_OF_A_LETTER = {SANS: 0.56, CODE: 0.605}  # of the font's size: about, exactly
LINE_HEIGHT = 20

MARGIN = 20  # inside the card
BESIDE = 28  # between boxes of a row
INSIDE = 8  # above and below the text of a box
GAP = 28  # between rows
FRAME_ABOVE = 34  # between a frame and the boxes in it: its title stands here
FRAME_BELOW = 34  # here residual connections branch off
FRAME_BESIDE = 10
LANE = 20  # between a box and the residual connection that passes it
BRANCH = 17  # below a box, where a residual connection branches off
HEAD = 8  # of an arrow


def font(line: str) -> tuple[str, str]:
    """(a line without its backticks, the font that it has).

    >>> font("`(query, d_k)`")[0], font("scores")[0]
    ('(query, d_k)', 'scores')
    """
    return (line[1:-1], CODE) if line.startswith("`") and line.endswith("`") else (line, SANS)


def text_width(line: str, size: float) -> float:
    """Pixels that a line takes: exact for code, and about right otherwise."""
    shown, family = font(line)
    return len(shown) * WIDTH_OF_A_LETTER[family] * size
