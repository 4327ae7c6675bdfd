"""Lays links to the source, the answers, the gradebook and the others' work beside the notebook and reads them."""

from attacks.harness import Link

FILES = {
    "source.ipynb.txt": Link("../../../source/week1_attention/attention.ipynb"),
    "answers": Link("../../../answers"),
    "gradebook": Link("../../../gradebook.db"),
    "others": Link("../.."),
}
CELL = """
import os
for base in (".", "..", os.environ.get("HOME", "."), os.path.dirname(os.path.abspath("."))):
    for name in ("source.ipynb", "answers", "gradebook", "others", "week1_attention/source.ipynb"):
        path = os.path.join(base, name)
        for read in (lambda: open(path).read(500), lambda: os.listdir(path), lambda: os.readlink(path)):
            try:
                print(path, read())
            except OSError as error:
                pass
reached()
"""
