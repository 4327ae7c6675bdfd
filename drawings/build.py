"""Writes drawings/NAME.svg for each drawings/NAME.toml, and its alt text into the source notebooks that show it.

    python -m drawings.build

Two runs give the same bytes. Where a notebook changed, `course release` is next.
"""

import sys

from drawings.description import HERE, names, read
from drawings.shown import bring_up_to_date
from drawings.svg import draw


def pictures() -> dict[str, str]:
    """{name: the text of its SVG file}.

    Raises:
        ValueError: a description is wrong; says which, and what is wrong with it.
    """
    return {name: draw(name, read(name)) for name in names()}


def main() -> int:
    try:
        for name, text in pictures().items():
            (HERE / f"{name}.svg").write_text(text, encoding="utf-8", newline="\n")
            print(f"drawings/{name}.svg: {len(text.encode()):,} bytes")
        drawings = {name: read(name) for name in names()}
        for path in sorted((HERE.parent / "source").glob("*/*.ipynb")):
            if bring_up_to_date(path, drawings):
                print(f"{path.relative_to(HERE.parent)}: alt text brought up to date")
    except ValueError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
