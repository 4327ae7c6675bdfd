"""The drawings: up to date, safe to show anywhere, readable, and told in words to those who do not see them."""

import re
import xml.etree.ElementTree as ET
from dataclasses import dataclass
from pathlib import Path

import msgspec
import pytest
from small_course import make_course

from coursekit.authoring.publish.publish import contents
from drawings import description, layout, routes, shown, style
from drawings.build import pictures
from drawings.svg import draw

ROOT = Path(__file__).parent.parent
NAMES = description.names()
NOTEBOOKS = sorted((ROOT / "source").glob("*/*.ipynb"))
SVG = "{http://www.w3.org/2000/svg}"
ELEMENTS = {"svg", "title", "desc", "rect", "text", "polyline", "polygon", "circle"}
CONTRAST = 4.5  # of text
LINE_CONTRAST = 3  # of arrows and borders
SMALLEST = 14  # pixels of text at the width at which a drawing is shown
WIDEST = 760
INSET = 3  # pixels between a text and the border of its box

# What the browser knows of each text: where it is, its colour, and the shapes painted before it that it lies on.
MEASURE = """() => {
  const box = (element) => { const b = element.getBBox(); return [b.x, b.y, b.x + b.width, b.y + b.height]; };
  const seen = [], texts = [];
  for (const element of document.querySelector("svg").children) {
    if (element.tagName === "rect")
      seen.push({place: box(element), fill: element.getAttribute("fill"), border: element.getAttribute("stroke")});
    if (element.tagName === "text")
      texts.push({words: element.textContent, place: box(element), fill: element.getAttribute("fill"),
                  size: parseFloat(getComputedStyle(element).fontSize), before: seen.length});
  }
  return [seen, texts];
}"""


@dataclass(frozen=True)
class Text:
    """A text as painted: its place (left, top, right, bottom), colour, size, and the rectangles painted before it."""

    words: str
    place: tuple[float, float, float, float]
    fill: str
    size: float
    behind: list[dict]


def problems_of_markup(svg):
    """What could be fetched, run or refused, a sentence each."""
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
    titles = {
        child.tag: (child.get("id"), child.text)
        for child in root
        if child.tag in (SVG + "title", SVG + "desc")
    }
    (title, heading), (words, told) = titles.get(SVG + "title", ("", "")), titles.get(SVG + "desc", ("", ""))
    if (
        root.get("role") != "img"
        or root.get("aria-labelledby") != f"{title} {words}"
        or not (heading and told)
    ):
        found.append("no title and words for a screen reader")
    if float(root.get("width", "inf")) > WIDEST:
        found.append(f"wider than {WIDEST} pixels")
    return found


def measured(page, svg):
    page.set_content(f"<!doctype html><body style='margin:0'>{svg}")
    shapes, texts = page.evaluate(MEASURE)
    return [
        Text(text["words"], tuple(text["place"]), text["fill"], text["size"], shapes[: text["before"]])
        for text in texts
    ]


def holds(outer, inner, inset=0.0):
    return (
        outer[0] + inset <= inner[0]
        and outer[1] <= inner[1]
        and inner[2] <= outer[2] - inset
        and inner[3] <= outer[3]
    )


def meets(one, other):
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def problems_of_texts(texts):
    """What cannot be read, a sentence each."""
    found = []
    for text in texts:
        middle = ((text.place[0] + text.place[2]) / 2, (text.place[1] + text.place[3]) / 2) * 2
        below = [shape for shape in text.behind if holds(shape["place"], middle)]
        filled = [shape["fill"] for shape in below if shape["fill"] != "none"]
        if not filled or contrast(text.fill, filled[-1]) < CONTRAST:
            found.append(f"too little contrast: {text.words}")
        if text.size < SMALLEST:
            found.append(f"too small: {text.words}")
        if any(
            not holds(shape["place"], text.place, INSET if shape["border"] != "none" else 0)
            for shape in below
        ):
            found.append(f"leaves its box: {text.words}")
    for index, text in enumerate(texts):
        found += [
            f"overlap: {text.words} and {other.words}"
            for other in texts[index + 1 :]
            if meets(text.place, other.place)
        ]
    return found


def contrast(one, other):
    def luminance(colour):
        channels = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
        linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    darker, lighter = sorted((luminance(one), luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def problems_of_words(drawing, alt):
    found = (
        []
        if alt == drawing.words
        else ["the alt text is not the drawing's words: run `python -m drawings.build`"]
    )
    sentences = re.findall(r"[A-Z][^.]*(?:\.\.\.[^.]*)*\.(?=\s|$)", alt)
    if not any(len(sentence.split()) >= 5 for sentence in sentences):
        found.append("the alt text has no whole sentence")
    return found


@pytest.fixture(scope="module")
def page(chromium):
    page = chromium.new_page(viewport={"width": 800, "height": 600})
    yield page
    page.close()


def broken(name, **changes):
    """A drawing with something else in it."""
    return msgspec.structs.replace(description.read(name), **changes)


def with_box(name, box, **changes):
    boxes = description.read(name).boxes
    return broken(name, boxes=boxes | {box: msgspec.structs.replace(boxes[box], **changes)})


# The files


def test_the_files_are_what_the_descriptions_give():
    made = pictures()
    assert made == pictures(), "two runs give the same bytes"
    files = {path.stem: path.read_text(encoding="utf-8") for path in description.HERE.glob("*.svg")}
    assert files == made, "run `python -m drawings.build`"


def test_another_word_makes_a_file_stale():
    assert draw("head", with_box("head", "output", text=["result"])) != pictures()["head"]


@pytest.mark.parametrize("name", NAMES)
def test_a_drawing_is_plain(name):
    assert problems_of_markup(pictures()[name]) == []


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("</svg>", "", "not well-formed"),
        ("</svg>", "<script>alert(1)</script></svg>", "element script"),
        ("</svg>", "<foreignObject/></svg>", "element foreignObject"),
        ("</svg>", '<image href="https://example.org/a.png"/></svg>', "attribute href"),
        ("</svg>", '<rect fill="url(#a)"/></svg>', "a reference"),
        ("</svg>", '<rect onclick="alert(1)"/></svg>', "attribute onclick"),
        ("<desc ", "<text ", "not well-formed"),
        ('role="img"', "", "no title and words"),
        ('width="640"', 'width="900"', "wider than"),
    ],
)
def test_what_is_not_plain_is_found(old, new, problem):
    svg = pictures()["attention"].replace(old, new, 1)
    assert any(found.startswith(problem) for found in problems_of_markup(svg))


# What is seen


@pytest.mark.parametrize("name", NAMES)
def test_all_text_can_be_read(page, name):
    texts = measured(page, pictures()[name])
    assert len(texts) > 10
    assert problems_of_texts(texts) == []


@pytest.mark.parametrize("family", ["DejaVu Sans", "Liberation Sans"])
@pytest.mark.parametrize("name", NAMES)
def test_all_text_can_be_read_in_a_wider_font(page, name, family):
    """Which fonts a reader has is not known."""
    assert problems_of_texts(measured(page, pictures()[name].replace(style.SANS, family))) == []


BROKEN = {
    "too little contrast": lambda svg: svg.replace(
        f'fill="{style.INK}">over the keys', 'fill="#9ca3af">over the keys'
    ),
    "too small": lambda svg: svg.replace('font-size="14"', 'font-size="12"', 1),
    "leaves its box": lambda svg: svg.replace("over the keys", "over all of the keys that there are"),
    "overlap": lambda svg: svg.replace("(..., key, d_k)", "(batch, heads, key, d_k) of the keys"),
}


@pytest.mark.parametrize("problem", BROKEN)
def test_what_cannot_be_read_is_found(page, problem):
    svg = pictures()["attention"]
    changed = BROKEN[problem](svg)
    assert changed != svg
    assert any(found.startswith(problem) for found in problems_of_texts(measured(page, changed)))


def test_lines_and_borders_can_be_seen():
    for fill, border, _ in style.KINDS.values():
        assert contrast(border, style.CARD) >= LINE_CONTRAST and contrast(border, fill) >= LINE_CONTRAST
    for line in (style.LINE, style.RESIDUAL, style.EDGE):
        assert contrast(line, style.CARD) >= LINE_CONTRAST


# The descriptions


def read_broken(tmp_path, monkeypatch, old, new):
    text = (description.HERE / "head.toml").read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "head.toml").write_text(text.replace(old, new, 1), encoding="utf-8")
    monkeypatch.setattr(description, "HERE", tmp_path)
    return description.read("head")


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ('from = "X"', 'from = "Y"', "head.toml: Y is neither a box nor a frame"),
        ('kind = "learned"', 'kind = "lerned"', "head.toml: Invalid enum value 'lerned'"),
        ("X = {", 'Z = { kind = "data", text = [] }\nX = {', "head.toml: Z stands in no row"),
        ('"mask",    "attention"', '"task",    "attention"', "head.toml: mask stands in no row"),
    ],
)
def test_a_wrong_description_is_refused(tmp_path, monkeypatch, old, new, sentence):
    with pytest.raises(ValueError, match=sentence):
        read_broken(tmp_path, monkeypatch, old, new)


def test_an_arrow_through_a_box_is_refused():
    rows = [["output"], ["h"], ["x"]]
    boxes = {name: description.Box("data", [name]) for name in ("output", "h", "x")}
    drawing = broken(
        "block", rows=rows, boxes=boxes, columns=[], residuals=[], arrows=[description.Arrow("x", "output")]
    )
    with pytest.raises(ValueError, match="an arrow passes through h"):
        routes.find_routes(drawing, layout.lay_out(drawing))


def test_cells_that_form_no_rectangle_are_refused():
    drawing = broken("head", rows=[["", "X"], ["X", ""]], boxes={}, arrows=[])
    with pytest.raises(ValueError, match="the cells of X form no rectangle"):
        layout.lay_out(drawing)


# The notebooks


def test_each_drawing_is_shown_and_said_in_the_same_words():
    said = {}
    for path in NOTEBOOKS:
        for name, alt in shown.images(path).items():
            assert name in NAMES, f"{path.name} shows {name}.svg, which is not there"
            assert problems_of_words(description.read(name), alt) == [], f"{path.name}, {name}"
            said[name] = alt
    assert set(said) == set(NAMES), "each drawing is shown in some week"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_each_image_is_as_the_build_writes_it(tmp_path, path):
    copy = tmp_path / path.name
    copy.write_bytes(path.read_bytes())
    changed = shown.bring_up_to_date(copy, {name: description.read(name) for name in NAMES})
    assert not changed, "run `python -m drawings.build`"


@pytest.mark.parametrize(
    ("alt", "problem"),
    [
        ("", "the alt text has no whole sentence"),
        ("attention, a drawing", "the alt text has no whole sentence"),
        ("A drawing shows something else entirely.", "the alt text is not the drawing's words"),
    ],
)
def test_other_words_are_found(alt, problem):
    assert any(found.startswith(problem) for found in problems_of_words(description.read("head"), alt))


def test_the_build_writes_the_words_into_a_notebook(tmp_path):
    path = tmp_path / "a.ipynb"
    drawings = {name: description.read(name) for name in NAMES}
    cell = {
        "cell_type": "markdown",
        "source": ["One.\n", '<img src="{{published}}drawings/head.svg" alt="Old">\n', "Two."],
    }
    path.write_bytes(msgspec.json.encode({"cells": [cell]}))
    assert shown.images(path) == {"head": "Old"}
    assert shown.bring_up_to_date(path, drawings)
    assert shown.images(path) == {"head": drawings["head"].words}
    assert not shown.bring_up_to_date(path, drawings), "a second time changes nothing"
    path.write_bytes(path.read_bytes().replace(b"head.svg", b"tail.svg"))
    with pytest.raises(ValueError, match="there is no drawing tail"):
        shown.bring_up_to_date(path, drawings)


# Publishing


def test_the_drawings_are_published(tmp_path):
    course, _ = make_course(tmp_path)
    folder = course.root / "drawings"
    folder.mkdir()
    (folder / "head.svg").write_text(pictures()["head"])
    (folder / "head.toml").write_text("")
    files = contents(course, [])
    assert [name for name in files if name.startswith("drawings/")] == ["drawings/head.svg"]
