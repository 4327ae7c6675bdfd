"""Looks in what a student wrote for the side roads to a ready-made function.

Whatever is refused in the student kernel is refused by a process that the student's code shares: it can be undone
there. So a person is told when an answer that is to be written by hand uses what such an attempt would need. That is
a hint and no proof: the look is at the text alone, and text can be hidden.
"""

import re
from collections.abc import Iterable
from functools import lru_cache

from coursekit.engine.master import GIVEN, TEST, Master
from coursekit.engine.repair import RebuiltCell
from coursekit.engine.result import Note

MAX_NAMED = 5
# What nobody needs in a notebook of a course.
DOORS = re.compile(
    r"\btorch\s*\.\s*(?:ops|library|export|fx|onnx|_[A-Za-z]\w*)|\bimport\s+_C\b|\b(?:__subclasses__|__code__|FunctionType|CodeType"
    r"|_getframe|get_kernel|get_objects|get_referrers|flex_attention|python_dispatch|\w*_dispatch_\w*)\b"
    r"|\bfrom\s+torch\s+import\s+(?:ops|library|export|fx|onnx|_[A-Za-z]\w*)|\bcoursekit\b"
)
# What some notebooks need, but no answer that is to be written by hand. To install a package or to load one's own
# module again is no road.
ROADS = re.compile(
    r"\b(?:ctypes|cffi|multiprocessing|runpy|__import__|import_module|module_from_spec|spec_from_\w+|__globals__"
    r"|__builtins__|__closure__|getsource)\b|\breload\s*\(\s*(?:torch|nn|F|sys)\b|\bsys\s*\.\s*modules\b"
    r"|\bfrom\s+subprocess\b|\bsubprocess\s*\.\s*\w+(?=\()(?![^\n]*\bpip\b)"
    r"|\bos\s*\.\s*(?:system|popen)\b(?![^\n]*\bpip3?\b)|\bos\s*\.\s*(?:fork|exec\w*|spawn\w*|posix_spawn\w*)\b"
    r"|\btorch\s*\.\s*(?:jit|compile)\b|(?<![.\w])(?:exec|eval|compile)(?=\()"
    r"|^[ \t]*(?:!(?=[^\n]*python)(?![^\n]*\bpip3?\b)|%%(?:bash|sh|script|python\w*))",
    re.MULTILINE,
)


@lru_cache(maxsize=16)
def _given(master: Master) -> frozenset[str]:
    """The lines of the notebook as it was released: a copy of them, or an edited given cell, is no side road."""
    cells = (cell for cell in master.cells if cell.kind == "code" and cell.role in (GIVEN, TEST))
    return frozenset(line.strip() for cell in cells for line in cell.source.splitlines())


def look(master: Master, cells: Iterable[RebuiltCell]) -> list[Note]:
    """A flag for each answer to be written by hand, and each cell of the student's own, that uses a side road.

    A cell of the student's own may be about anything: there the roads that some notebooks need count only beside
    the name of something refused.
    """
    notes = []
    names = {name for refused in master.from_scratch.values() for name in refused}
    ready_made = tuple(f".{name.rpartition('.')[2]}" for name in names)
    for position, item in enumerate(cells):
        if item.kind != "code" or not item.run or not names:
            continue
        if item.master is None:
            where, by_hand = f"added-{position}", any(name in item.source for name in ready_made)
        elif item.touched and master.from_scratch.get(item.master.grade_id):
            where, by_hand = item.master.grade_id, True
        else:
            continue
        given = _given(master)
        text = "\n".join(line for line in item.source.splitlines() if line.strip() not in given)
        found = [match[0].strip() for match in DOORS.finditer(text)]
        found += [match[0].strip() for match in ROADS.finditer(text) if by_hand]
        if found:
            uses = ", ".join(f"`{text[:40]}`" for text in list(dict.fromkeys(found))[:MAX_NAMED])
            what = "a cell of the student's own beside" if item.master is None else "an"
            ending = "answers that are" if item.master is None else "answer that is"
            notes.append(
                Note("from_scratch", where, f"Uses {uses} in {what} {ending} to be written by hand.")
            )
    return notes
