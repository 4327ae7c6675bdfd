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
from archives import DOWNLOADS, NAME, WEEK, A
from command import course_here
from quick import first
from small_course import ROOT, add_second_week, files_in, make_course

# {the download: its row of the table in docs/collecting.md}
TABLE = re.search(
    r"<!-- downloads.*?<!-- end", (ROOT / "docs" / "collecting.md").read_text("utf-8"), re.DOTALL
)[0]
ROWS = {row[0]: row for line in TABLE.splitlines()[4:-2] if (row := line[2:-2].split(" | "))}
SECONDS = 20  # of the processor, for both calls of the command; the costliest takes 4
MEMORY = 300 << 20  # bytes more than before
COSTLY = ("many files of one student", "too many files")
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
MAKING = {
    f"os.{name}" for name in ["mkdir", "rename", "link", "symlink", "remove", "rmdir", "truncate", "chmod"]
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
    after_first = files_in(root / "submitted")
    second = course_here(root, "collect", WEEK, str(source), "--json")
    seconds = time.process_time() - began
    memory = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) << 10
    answer.send((first, after_first, second, seconds, memory, wrote))


@pytest.mark.parametrize("case", first(20, [*(name for name in DOWNLOADS if name not in COSTLY), *COSTLY]))
def test_a_download(case, tmp_path):
    import coursekit.intake.collect  # noqa: F401  before the process is forked, so that it is not counted

    (tmp_path / "course").mkdir()
    course = add_second_week(make_course(tmp_path / "course")[0])
    name, data = DOWNLOADS[case]()
    source = tmp_path / name
    source.write_bytes(data)
    elsewhere = files_in(tmp_path)

    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("fork").Process(target=watched, args=(course.root, source, there))
    process.start()
    there.close()
    first, placed, second, seconds, memory, wrote = here.recv()
    process.join()

    submitted = course.root / "submitted"
    code, errors = first.returncode, first.stderr.replace(str(source), "DOWNLOAD").strip()
    assert "Traceback" not in errors and second.returncode == code
    report = {"students": [], "unplaced": {}} if code == 2 else json.loads(second.stdout)
    said = {
        2: errors.removeprefix("course: "),
        1: "\n".join(line.removeprefix("Not placed: ") for line in errors.splitlines()),
        0: "; ".join(remark for student in report["students"] for remark in student["remarks"]),
    }[code]
    students = sorted(path.name for path in submitted.iterdir()) if submitted.exists() else []
    whose = ", ".join(map(shortened, students)) or "nobody"
    made = ROWS[case][1]
    row = [case, made, str(code), written(shortened(said)) or "nothing more", written(whose)]
    assert row == ROWS[case], f"docs/collecting.md needs the row | {' | '.join(row)} |"

    if "ann" in students:
        assert placed[f"ann/{WEEK}/{NAME}"] == A
    assert {one["what"] for one in report["students"]} <= {"unchanged", "not placed"}
    assert files_in(submitted) == placed, "a second time changed something"
    now = files_in(tmp_path)
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


def shortened(text: str) -> str:
    """Without the middle of a word or a list that is too long for a page."""
    text = re.sub(r"(\w)\1{20,}", r"\1\1\1…\1\1\1", text)
    lines = text.split("\n")
    return "\n".join(lines if len(lines) < 4 else [lines[0], f"… {len(lines) - 2} more lines …", lines[-1]])


def test_every_row_of_the_table_is_tested():
    assert ROWS.keys() == DOWNLOADS.keys()
