"""Broken and hostile downloads: each line of the table in docs/collecting.md, as the command really answers."""

import json
import multiprocessing
import os
import re
import resource
import sys
import time
from pathlib import Path

import pytest
from archives import DOWNLOADS, NAME, OTHER, WEEK, A
from command import course_here
from quick import first
from small_course import ROOT, make_course

PAGE = ROOT / "docs" / "collecting.md"
SECONDS = 20  # of the processor, for both calls of the command; the costliest takes 4
MEMORY = 300 << 20  # bytes more than before
COSTLY = ("many files of one student", "too many files")
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
MAKING = {
    "os.mkdir",
    "os.rename",
    "os.link",
    "os.symlink",
    "os.remove",
    "os.rmdir",
    "os.truncate",
    "os.chmod",
}


def tree(folder: Path) -> dict[str, bytes]:
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


def watched(root: Path, source: Path, answer) -> None:
    """Collect twice in a process of its own; send what was said, what it took, and every path that it wrote to."""
    wrote: list[str] = []

    def look(event: str, arguments: tuple) -> None:
        if event == "open" and isinstance(arguments[0], str | bytes) and arguments[2] & WRITING:
            wrote.append(os.fsdecode(arguments[0]))
        elif event in MAKING:
            wrote.extend(os.fsdecode(path) for path in arguments[:2] if isinstance(path, str | bytes))

    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    began = time.process_time()
    sys.addaudithook(look)
    first = course_here(root, "collect", WEEK, str(source))
    after_first = tree(root / "submitted")
    second = course_here(root, "collect", WEEK, str(source), "--json")
    seconds = time.process_time() - began
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) << 10
    answer.send((first, after_first, second, seconds, memory, wrote))


@pytest.mark.parametrize("case", first(20, [*(name for name in DOWNLOADS if name not in COSTLY), *COSTLY]))
def test_a_download(case, tmp_path):
    import coursekit.intake.collect  # noqa: F401  before the process is forked, so that it is not counted

    wanted = DOWNLOADS[case]
    (tmp_path / "course").mkdir()
    course, _ = make_course(tmp_path / "course")
    with (course.root / "course.toml").open("a") as file:
        file.write(f'\n[[weeks]]\nname = "{OTHER}"\nnotebook = "multi_head"\ntitle = "Heads"\nminutes = 9\n')
    name, data = wanted.make()
    source = tmp_path / name
    source.write_bytes(data)
    elsewhere = tree(tmp_path)

    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=watched, args=(course.root, source, there))
    process.start()
    there.close()
    first, placed, second, seconds, memory, wrote = here.recv()
    process.join()

    def said(text: str) -> str:
        return text.replace(str(source), "DOWNLOAD").strip()

    assert "Traceback" not in first.stderr
    assert (first.returncode, second.returncode) == (wanted.code, wanted.code), first.stderr
    report = json.loads(second.stdout) if wanted.code != 2 else {"students": [], "unplaced": {}}
    told = {
        2: said(first.stderr).removeprefix("course: "),
        1: "\n".join(line.removeprefix("Not placed: ") for line in said(first.stderr).splitlines()),
        0: "; ".join(remark for student in report["students"] for remark in student["remarks"]),
    }[wanted.code]
    assert told == wanted.said

    submitted = course.root / "submitted"
    students = sorted(path.name for path in submitted.iterdir()) if submitted.exists() else []
    assert students == sorted(wanted.placed)
    if "ann" in wanted.placed:
        assert placed[f"ann/{WEEK}/{NAME}"] == A
    assert {one["what"] for one in report["students"]} <= {"unchanged", "not placed"}
    assert tree(submitted) == placed, "a second time changed something"
    now = tree(tmp_path)
    assert {path: data for path, data in now.items() if not path.startswith("course/submitted/")} == elsewhere
    outside = [path for path in wrote if not Path(path).is_relative_to(submitted)]
    assert [path for path in outside if path != os.devnull] == []
    assert seconds < SECONDS and memory < MEMORY, (seconds, memory >> 20)


def written(text: str) -> str:
    """Text for a table's cell: a control character as Python writes it, and no sign that Markdown would take."""
    shown = "".join(
        letter if letter.isprintable() or letter == "\n" else repr(letter)[1:-1] for letter in text
    )
    return shown.replace("|", "\\|").replace("<", "&lt;").replace("\n", "<br>")


def table() -> str:
    lines = [
        "| the download | how it is made | exit code | what `course collect` says | placed |",
        "| - | - | - | - | - |",
    ]
    for name, one in DOWNLOADS.items():
        placed = ", ".join(shortened(student) for student in one.placed) or "nobody"
        said = written(shortened(one.said)) or "nothing more"
        lines.append(f"| {name} | {written(one.made)} | {one.code} | {said} | {written(placed)} |")
    return "\n".join(lines) + "\n"


def shortened(text: str) -> str:
    """Without the middle of a word or a list that is too long for a page."""
    text = re.sub(r"(\w)\1{20,}", r"\1\1\1…\1\1\1", text)
    lines = text.split("\n")
    return "\n".join(lines if len(lines) < 4 else [lines[0], f"… {len(lines) - 2} more lines …", lines[-1]])


MARKS = re.compile(r"(<!-- downloads: [^\n]* -->\n\n).*?(\n<!-- end of downloads -->)", re.DOTALL)


def test_the_page_shows_this_table():
    """To write it anew: `python tests/test_archives.py`."""
    assert len(DOWNLOADS) >= 30
    text = PAGE.read_text(encoding="utf-8")
    assert MARKS.sub(lambda found: found[1] + table() + found[2], text) == text and MARKS.search(text)


if __name__ == "__main__":
    page = PAGE.read_text(encoding="utf-8")
    PAGE.write_text(MARKS.sub(lambda found: found[1] + table() + found[2], page), encoding="utf-8")
