"""IPython's cell magics: what becomes of the lines below a first line such as `%%time`."""

import re

LINE = re.compile(r"\s*%%(\w+)")
FIRST_LINE = re.compile(r"%%.*")
# These run the lines below in the notebook's own names.
IN_NOTEBOOK = frozenset({"time", "capture", "prun"})
# These run them as Python, but what they define is not defined in the notebook.
APART = frozenset({"timeit", "debug", "code_wrap"})
# fmt: off
# These of IPython's do something else with them, and so do those of Colab and of well-known packages.
OTHER_LANGUAGES = frozenset(
    {
        "HTML", "SVG", "bash", "file", "html", "javascript", "js", "latex", "markdown", "perl", "pypy", "python",
        "python2", "python3", "ruby", "script", "sh", "svg", "sx", "system", "writefile",
        "R", "ai", "bigquery", "bq", "c", "cmd", "cpp", "css", "cu", "cuda", "cypher", "dot", "duckdb", "fortran",
        "gcc", "graphviz", "java", "json", "julia", "kql", "matlab", "mermaid", "octave", "powershell", "pybind11",
        "rust", "shell", "skip", "sparksql", "sparql", "sql", "tikz", "typst", "verilog", "yaml", "zsh",
    }
)
# fmt: on
KNOWN = IN_NOTEBOOK | APART | OTHER_LANGUAGES


def first_magic(source: str) -> str:
    """Return the name of a cell's magic; "" if it has none.

    >>> first_magic("%%time\\nf()"), first_magic("f()")
    ('time', '')
    """
    found = LINE.match(source)
    return found[1] if found else ""


def without_magic(source: str) -> str:
    """Return a cell with `pass` for a magic that runs the lines below it in the notebook's names.

    The cell has one statement more than its lines below: the magic, which runs them all.

    >>> without_magic("%%time\\nf()")
    'pass\\nf()'
    """
    if first_magic(source) not in IN_NOTEBOOK:
        return source
    return FIRST_LINE.sub("pass", source, count=1)
