"""Opens the gradebook as a database, read only, immutable and through a copy, and prints names and marks."""

BAIT_CELL = r"""
import shutil, sqlite3

path = bait["paths"]["gradebook"]


def rows(address):
    with sqlite3.connect(address, uri=True) as book:
        return book.execute("select * from student").fetchall()


def attached():
    book = sqlite3.connect(":memory:")
    book.execute("attach ? as other", (path,))
    return book.execute("select * from other.student").fetchall()


tried(
    lambda: rows(path),
    lambda: rows(f"file:{path}?mode=ro"),
    lambda: rows(f"file:{path}?immutable=1&nolock=1"),
    attached,
    lambda: shutil.copy(path, "mine") and rows("mine"),
    lambda: open(path, "rb").read(),
)
"""
