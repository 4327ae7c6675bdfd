"""The formgrader's page of a submission, made in a confined process: `coursekit.confined` calls `prepare` and `work`.

nbconvert's libraries colour code, read Markdown and clean HTML, and some texts keep them busy for hours. A page with
such a text is made without colours and Markdown.
"""

import html
import pickle
from typing import Any

import msgpack
import nbformat
from nbconvert.exporters import HTMLExporter
from traitlets.config import Config

# The filters that make HTML of a student's text. `plain` can take their place.
FILTERS = ("highlight_code", "markdown2html", "clean_html", "ansi2html")

_exporters: dict[str, HTMLExporter] = {}


def plain(text: Any, *_: Any, **__: Any) -> str:
    """Return HTML that shows a text as it is."""
    return f"<pre>{html.escape(str(text))}</pre>"


def prepare(setup: bytes) -> None:
    """Make both exporters ready: `setup` is the pickled configuration of the formgrader's exporter."""
    config: Config = pickle.loads(setup)
    _exporters["rich"] = HTMLExporter(config=config)
    plain_config = Config(config)
    plain_config.HTMLExporter.filters = {
        **config.HTMLExporter.get("filters", {}),
        **dict.fromkeys(FILTERS, plain),
    }
    _exporters["plain"] = HTMLExporter(config=plain_config)
    cells = [nbformat.v4.new_code_cell("x = 1"), nbformat.v4.new_markdown_cell("**x**")]
    for exporter in _exporters.values():  # reads the templates, and imports what is needed
        exporter.from_notebook_node(nbformat.v4.new_notebook(cells=cells), {"index": 0, "total": 1})


def work(data: bytes) -> bytes:
    """Return the page as UTF-8. `data` is msgpack of ["rich" or "plain", the .ipynb's bytes, nbconvert's resources]."""
    exporter, notebook, resources = msgpack.unpackb(data)
    node = nbformat.reads(notebook.decode("utf-8"), as_version=4)
    page, _ = _exporters[exporter].from_notebook_node(node, resources)
    return page.encode("utf-8", "replace")
