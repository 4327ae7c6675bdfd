"""The drawings: plain SVG, readable, and described by the same words in the file and in the notebooks that show it."""

import base64
import html
import json
import re
import xml.etree.ElementTree as ET

import pytest
from small_course import ROOT, edit, make_course

DRAWINGS = {path.stem: path.read_text("utf-8") for path in sorted((ROOT / "assets/drawings").glob("*.svg"))}
SVG = "{http://www.w3.org/2000/svg}"
ELEMENTS = {"svg", "title", "desc", "rect", "text", "polyline", "polygon", "circle"}
SANS = "Arial, Helvetica, 'Liberation Sans', 'DejaVu Sans', sans-serif"
CARD = "#ffffff"
WIDEST = 760  # pixels
SMALLEST = 14  # pixels of text, at the width at which a drawing is shown
CONTRAST = 4.5  # of text
LINE_CONTRAST = 3  # of arrows and borders
INSET = 3  # pixels between a text and the border of its box

# [text, its box, its colour, its size, the rectangles painted before it as [box, fill, border]] for each text.
MEASURE = """() => {
  const box = (element) => { const b = element.getBBox(); return [b.x, b.y, b.x + b.width, b.y + b.height]; };
  const painted = [], texts = [];
  for (const element of document.querySelector("svg").children) {
    const fill = element.getAttribute("fill");
    if (element.tagName === "rect") painted.push([box(element), fill, element.getAttribute("stroke")]);
    if (element.tagName === "text")
      texts.push([element.textContent, box(element), fill, parseFloat(getComputedStyle(element).fontSize),
                  [...painted]]);
  }
  return texts;
}"""


def contrast(one, other):
    def luminance(colour):
        channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def problems_of_markup(svg):
    """What could be fetched, run or refused, what a screen reader would miss, and lines too pale to be seen."""
    try:
        root = ET.fromstring(svg)
    except ET.ParseError as error:
        return [f"not well-formed: {error}"]
    found = []
    for element in root.iter():
        name = element.tag.removeprefix(SVG)
        if name not in ELEMENTS:
            found.append(f"element {name}")
        for key, value in element.attrib.items():
            if key.lower().startswith("on") or "href" in key.lower() or key == "style":
                found.append(f"attribute {key}")
            if re.search(r"url\(|//|javascript:|@import", value, re.IGNORECASE):
                found.append(f"a reference: {value}")
        border, fill = element.get("stroke", "none"), element.get("fill", "none")
        line = fill if name in ("polygon", "circle") else border
        grounds = {CARD, *({fill} if line == border else ())} - {"none"}
        if line != "none" and any(contrast(line, ground) < LINE_CONTRAST for ground in grounds):
            found.append(f"a line too pale: {line}")
    title, description = (root.find(SVG + tag) for tag in ("title", "desc"))
    ids = "" if title is None or description is None else f"{title.get('id')} {description.get('id')}"
    if not ids or not title.text or (root.get("role"), root.get("aria-labelledby")) != ("img", ids):
        found.append("no title and description for a screen reader")
    elif not re.search(r"[A-Z][^.]*(?: [^ ]+){4,}\.(?=\s|$)", description.text or ""):
        found.append("the description has no whole sentence")
    if float(root.get("width", "inf")) > WIDEST:
        found.append(f"wider than {WIDEST} pixels")
    return found


def holds(outer, inner, inset=0.0):
    left, top, right, bottom = inner
    return outer[0] + inset <= left and outer[1] <= top and right <= outer[2] - inset and bottom <= outer[3]


def problems_of_texts(page, svg):
    """What cannot be read, as a browser paints it."""
    page.set_content(f"<!doctype html><body style='margin:0'>{svg}")
    texts = page.evaluate(MEASURE)
    assert len(texts) > 10
    found = []
    for index, (text, place, colour, size, painted) in enumerate(texts):
        middle = [(place[0] + place[2]) / 2, (place[1] + place[3]) / 2] * 2
        under = [shape for shape in painted if holds(shape[0], middle)]
        fills = [fill for _, fill, _ in under if fill != "none"]
        if not fills or contrast(colour, fills[-1]) < CONTRAST:
            found.append(f"too little contrast: {text}")
        if size < SMALLEST:
            found.append(f"too small: {text}")
        if not all(holds(box, place, INSET if border != "none" else 0) for box, _, border in under):
            found.append(f"leaves its box: {text}")
        for other, (left, top, right, bottom), *_ in texts[index + 1 :]:
            if place[0] < right and left < place[2] and place[1] < bottom and top < place[3]:
                found.append(f"overlap: {text} and {other}")
    return found


@pytest.fixture(scope="module")
def page(chromium):
    page = chromium.new_page(viewport={"width": 800, "height": 600})
    yield page
    page.close()


@pytest.mark.parametrize("name", DRAWINGS)
def test_a_drawing_is_plain_and_readable_in_any_font(page, name):
    """Which fonts a reader has is not known: two of these are wider than the first choice."""
    svg = DRAWINGS[name]
    assert problems_of_markup(svg) == []
    for family in (SANS, "DejaVu Sans", "Liberation Sans"):
        assert SANS in svg and problems_of_texts(page, svg.replace(SANS, family)) == [], family


DESCRIPTION = re.search(r"<desc[^>]*>([^<]*)", DRAWINGS["attention"])[1]


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("</svg>", "", "not well-formed"),
        ("</svg>", "<script>alert(1)</script></svg>", "element script"),
        ("</svg>", "<foreignObject/></svg>", "element foreignObject"),
        ("</svg>", '<image href="https://example.org/a.png"/></svg>', "attribute href"),
        ("</svg>", '<rect fill="url(#a)"/></svg>', "a reference"),
        ("</svg>", '<rect onclick="alert(1)"/></svg>', "attribute onclick"),
        ('role="img"', "", "no title and description"),
        (DESCRIPTION, "attention, a drawing", "the description has no whole sentence"),
        ('width="640"', 'width="900"', "wider than"),
        ('stroke="#1d4ed8"', 'stroke="#93c5fd"', "a line too pale"),
        ('fill="#111827">over the keys', 'fill="#9ca3af">over the keys', "too little contrast"),
        ('font-size="14"', 'font-size="12"', "too small"),
        ("over the keys", "over all of the keys that there are", "leaves its box"),
        ("(..., key, d_k)", "(batch, heads, key, d_k) of the keys", "overlap"),
    ],
)
def test_what_is_wrong_with_a_drawing_is_found(page, old, new, problem):
    svg = DRAWINGS["attention"]
    changed = svg.replace(old, new)
    assert changed != svg
    found = problems_of_markup(changed) or problems_of_texts(page, changed)
    assert any(text.startswith(problem) for text in found), found


def test_each_notebook_describes_its_drawing_as_the_file_does():
    image = re.compile(r'^<img src="{{drawing_(\w+)}}" alt="([^"]*)" width="(\d+)">$', re.M)
    shown = {
        match[1]: (html.unescape(match[2]), match[3])
        for path in (ROOT / "source").glob("*/*.ipynb")
        for cell in json.loads(path.read_bytes())["cells"]
        for match in image.finditer("".join(cell["source"]))
    }
    roots = {name: ET.fromstring(svg) for name, svg in DRAWINGS.items()}
    wanted = {name: (root.findtext(SVG + "desc"), root.get("width")) for name, root in roots.items()}
    assert shown == wanted and len(wanted) == 5


def test_a_released_notebook_holds_its_drawing(tmp_path):
    course, week = make_course(tmp_path)
    folder = course.root / "assets" / "drawings"
    folder.mkdir(parents=True)
    (folder / "head.svg").write_text(DRAWINGS["head"], encoding="utf-8")
    edit(course, "intro", source='# Week 1\n\n<img src="{{drawing_head}}" alt="A head.">')
    text = course.master(week).cells[0].source
    data = re.search(r'src="data:image/svg\+xml;base64,([^"]*)"', text)[1]
    assert base64.b64decode(data).decode() == DRAWINGS["head"]
