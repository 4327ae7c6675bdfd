"""Writes drawings/NAME.svg for each drawings/NAME.toml; two runs give the same bytes.

python -m drawings.build
"""

from drawings.description import HERE, names, read
from drawings.svg import draw


def pictures() -> dict[str, str]:
    """{name: the text of its SVG file}.

    Raises:
        ValueError: a description is wrong; says which, and what is wrong with it.
    """
    return {name: draw(name, read(name)) for name in names()}


def main() -> None:
    for name, text in pictures().items():
        (HERE / f"{name}.svg").write_text(text, encoding="utf-8", newline="\n")
        print(f"drawings/{name}.svg: {len(text.encode()):,} bytes")


if __name__ == "__main__":
    main()
