"""Search a student's code for attempts to bypass the refusal of a ready-made function.

The student kernel refuses such functions in the process in which the student's code runs, so that code can undo the
refusal. An answer that is to be written by hand and holds text that such an attempt would need is therefore flagged
for a person. That is a hint, not a proof: only the text is searched, and text can be hidden.

The search takes time in proportion to the text: in a pattern, no repetition is inside another, or next to one that can
match the same characters; and the rest of a line is searched for an installer only once.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping

from coursekit.engine.reader.repair import DraftCell
from coursekit.engine.shared.master import GIVEN, TEST, Master
from coursekit.engine.shared.reasons import Flag
from coursekit.engine.shared.result import Note

MAX_NAMED = 5  # pieces of text in one flag
COPIES = (".ipynb", ".html", ".htm")  # of the notebook, or what Jupyter exported of it
MAX_SEARCHED = 1 << 20  # bytes of files beside the notebook
# Text that no notebook of a course needs.
ALWAYS_SUSPICIOUS = re.compile(
    r"\btorch\s*\.\s*(?:ops|library|export|fx|onnx|_[A-Za-z]\w*)|\bimport\s+_C\b|\b(?:__subclasses__|__code__|FunctionType|CodeType"
    r"|_getframe|get_kernel|get_objects|get_referrers|flex_attention|python_dispatch|\w*_dispatch_\w*)\b"
    r"|\bfrom\s+torch\s+import\s+(?:ops|library|export|fx|onnx|_[A-Za-z]\w*)|\bcoursekit\b"
)
# Text that some notebooks need, but answers written by hand do not. `torch.compile` does nothing in a student kernel.
SUSPICIOUS_IN_ANSWER = re.compile(
    r"\b(?:ctypes|cffi|multiprocessing|runpy|__import__|import_module|module_from_spec|spec_from_\w+|__globals__"
    r"|__builtins__|__closure__|getsource)\b|\breload\s*\(\s*(?:torch|nn|F|sys)\b|\bsys\s*\.\s*modules\b"
    r"|\bfrom\s+subprocess\b|\bos\s*\.\s*(?:fork|exec\w*|spawn\w*|posix_spawn\w*)\b|\btorch\s*\.\s*jit\b"
    r"|(?<![.\w])(?:exec|eval|compile)(?=\()|^[ \t]*%%(?:bash|sh|script|python\w*)",
    re.MULTILINE,
)
# Likewise the beginning of a call, or of a `!` line, that starts another program.
PROGRAM = re.compile(r"\bsubprocess\s*\.\s*\w+(?=\()|\bos\s*\.\s*(?:system|popen)\b|^[ \t]*!", re.MULTILINE)
INSTALLER = re.compile(r"\bpip3?\b")


def bypass_flags(master: Master, cells: Iterable[DraftCell]) -> list[Note]:
    """Return a flag for each answer to be written by hand, and each added cell, that may bypass a refusal.

    In an added cell, text that some notebooks need counts only together with the name of a refused function.
    """
    notes: list[Note] = []
    if not (refused := _refused_attributes(master)):
        return notes
    # Lines that are also in a given cell or a test are not the student's own.
    released_lines = {
        line.strip()
        for cell in master.cells
        if cell.kind == "code" and cell.role in (GIVEN, TEST)
        for line in cell.source.splitlines()
    }
    for position, item in enumerate(cells):
        if item.kind != "code" or not item.run:
            continue
        if item.master is None:
            where, by_hand = f"added-{position}", any(name in item.source for name in refused)
        elif item.touched and master.from_scratch.get(item.grade_id):
            where, by_hand = item.grade_id, True
        else:
            continue
        text = "\n".join(line for line in item.source.splitlines() if line.strip() not in released_lines)
        if hits := bypasses(text, by_hand):
            kind = Flag.FROM_SCRATCH_BESIDE if item.master is None else Flag.FROM_SCRATCH
            notes.append(Note(kind, cell=where, values={"uses": _in_words(hits)}))
    return notes


def bypass_flags_of_files(master: Master, files: Mapping[str, Callable[[], bytes]]) -> list[Note]:
    """Return a flag for each file beside the notebook that may bypass a refusal, by the rules for added cells.

    Modules are searched first, and only so many bytes of all files. Of a module that is longer, the flag says that.
    Other copies of the notebook are not searched: the course's own text has such words, and other flags name them.

    Args:
        files: {path in the notebook's folder: function that reads it}.
    """
    refused = _refused_attributes(master)
    notes, left = [], MAX_SEARCHED
    searched = (path for path in files if refused and not path.lower().endswith(COPIES))
    for path in sorted(searched, key=lambda path: not path.endswith(".py")):
        data = files[path]()
        text = data[:left].decode("utf-8", "replace")
        hits = bypasses(text, by_hand=any(name in text for name in refused))
        if len(data) > left and path.endswith(".py"):
            hits.append("more text than is searched")
        left = max(0, left - len(data))
        if hits:
            notes.append(
                Note(Flag.FROM_SCRATCH_IN_FILE, values={"name": path[:200], "uses": _in_words(hits)})
            )
    return notes


def _refused_attributes(master: Master) -> list[str]:
    """Return the last part of each refused function's name, with its dot: ".softmax" for torch.softmax."""
    names = {name for refused in master.from_scratch.values() for name in refused}
    return [f".{name.rpartition('.')[2]}" for name in names]


def _in_words(hits: list[str]) -> str:
    return ", ".join(f"`{word[:40]}`" for word in hits[:MAX_NAMED])


def bypasses(text: str, by_hand: bool) -> list[str]:
    """Return the pieces of a cell's text that an attempt to bypass a refusal would need, without duplicates.

    Args:
        by_hand: search also for what some notebooks need, but answers written by hand do not.
    """
    hits = [match[0] for match in ALWAYS_SUSPICIOUS.finditer(text)]
    if by_hand:
        hits += [match[0] for match in SUSPICIOUS_IN_ANSWER.finditer(text)]
        hits += _programs(text)
    return list(dict.fromkeys(word.strip() for word in hits))


def _programs(text: str) -> Iterator[str]:
    """Yield the beginnings of calls that start a program other than an installer, and of `!` lines with "python"."""
    end, installer = -1, -1  # positions of the line's end, and of the last installer in the line
    for match in PROGRAM.finditer(text):
        if match.end() > end:
            newline = text.find("\n", match.end())
            end = newline if newline >= 0 else len(text)
            installer = max((pip.start() for pip in INSTALLER.finditer(text, match.end(), end)), default=-1)
        is_shell_line = match[0].endswith("!")
        if installer < match.end() and (not is_shell_line or "python" in text[match.end() : end]):
            yield match[0]
