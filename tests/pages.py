"""The commands on a page of the documentation: run in order, and what they print held against what the page says.

A block ```` ```console ```` has commands, which begin with `$ `, and below each all that it prints, stderr included.
There `...` stands for whatever varies, and it does not count where lines end. What else a block is says a comment right
above it:

    <!-- not run: REASON -->          nobody could run it here; what is said of its output is not held against anything
    <!-- ends with 1 -->              the exit code of its commands, where it is not 0; or two: 0 or 1
    <!-- file: PATH -->               a block of any language: the file's new text
    <!-- cell: GRADE_ID of PATH -->   the new source of a notebook's cell, by its grade id or its cell id
    <!-- edit: PATH -->               a block ```` ```diff ````: lines of a file before and after

A page says where its commands are to be run: `<!-- begins in: PLACE -->`.
"""

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
from dataclasses import dataclass, field
from doctest import ELLIPSIS, NORMALIZE_WHITESPACE, OutputChecker
from pathlib import Path

from small_course import ROOT

# Of the languages in which commands are written, this is the only one that a page may use.
CONSOLE = "console"
FENCE = re.compile(
    r"(?:^ *<!-- (?P<mark>[^\n]*?) -->\n)?"
    r"^(?P<indent> *)```(?P<language>[^\n]*)\n(?P<text>.*?)^(?P=indent)```$",
    re.DOTALL | re.MULTILINE,
)
PLACE = re.compile(r"<!-- begins in: (.*?) -->")
SECONDS = 300  # for one command
# Said by the shell after each command: where it is by then, and its variables.
STATE = "import json, os; print(json.dumps([os.getcwd(), dict(os.environ)]))"


@dataclass(frozen=True)
class Block:
    """A fenced block of a page."""

    page: str
    line: int
    mark: str
    language: str
    text: str

    @property
    def not_run(self) -> str:
        """Why its commands are not run; "" where they are."""
        return self.mark.removeprefix("not run: ") if self.mark.startswith("not run: ") else ""

    @property
    def codes(self) -> str:
        """The exit codes that its commands may end with, as "0" or "0 or 1"."""
        return self.mark.removeprefix("ends with ") if self.mark.startswith("ends with ") else "0"

    def commands(self) -> list[tuple[str, str]]:
        """(command, what it prints) of a block of commands."""
        found: list[tuple[str, str]] = []
        going_on = False
        for line in self.text.splitlines():
            if going_on:
                found[-1] = (f"{found[-1][0]}\n{line}", "")
            elif line.startswith("$ "):
                found.append((line[2:], ""))
            elif found:
                found[-1] = (found[-1][0], f"{found[-1][1]}{line}\n")
            else:
                raise ValueError(f"{self.page}, line {self.line}: the block does not begin with `$ `")
            going_on = found[-1][0].endswith("\\") and not found[-1][1]
        return found


def blocks(text: str, page: str) -> list[Block]:
    """All fenced blocks of a page, in order."""
    found = []
    for match in FENCE.finditer(text):
        indent = match["indent"]
        inside = "".join(line.removeprefix(indent) for line in match["text"].splitlines(keepends=True))
        line = text.count("\n", 0, match.start()) + 1
        found.append(Block(page, line, match["mark"] or "", match["language"].strip(), inside))
    return found


def place(text: str) -> str:
    """Where the page's commands are to be run; "" if it does not say so."""
    match = PLACE.search(text)
    return match[1] if match else ""


def run_page(text: str, page: str, folder: Path, environment: dict[str, str]) -> tuple[list[str], int]:
    """Do what a page says, in a folder; gives what came out otherwise, a sentence each, and how many commands ran."""
    shell = _Shell(folder, environment)
    problems, count = [], 0
    for block in blocks(text, page):
        where = f"{page}, line {block.line}"
        if block.language != CONSOLE or block.not_run:
            if problem := _write(block, shell.folder):
                problems.append(f"{where}: {problem}")
            continue
        for command, wanted in block.commands():
            count += 1
            code, printed = shell.run(command)
            if str(code) not in block.codes.split(" or "):
                problems.append(f"{where}: `{command}` ended with {code}, and not {block.codes}:\n{printed}")
            elif not same(wanted, printed):
                problems.append(f"{where}: `{command}` is to print\n{wanted}and printed\n{printed}")
    return problems, count


def same(wanted: str, printed: str) -> bool:
    """Whether this was printed, but for how it is laid out and for what stands for `...`."""
    return OutputChecker().check_output(wanted, printed, ELLIPSIS | NORMALIZE_WHITESPACE)


class _Shell:
    """Runs commands in turn: each has the folder and the variables that the one before it left."""

    def __init__(self, folder: Path, environment: dict[str, str]):
        self.folder = folder
        self._variables = dict(environment)

    def run(self, command: str) -> tuple[int, str]:
        """Exit code, and all that was printed."""
        left, right = os.pipe()
        script = f"{command}\ncode=$?\npython -c '{STATE}' >&{right}\nexit $code"
        with open(left, encoding="utf-8") as state:
            done = subprocess.run(
                ["bash", "-c", script],
                cwd=self.folder,
                env=self._variables,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                pass_fds=[right],
                timeout=SECONDS,
            )
            os.close(right)
            folder, self._variables = json.loads(state.read())
        self.folder = Path(folder)
        return done.returncode, done.stdout.decode()


def _write(block: Block, folder: Path) -> str:
    """Carry out what a block says of a file; gives what is wrong with it."""
    kind, _, rest = block.mark.partition(": ")
    if kind == "file":
        path = folder / rest
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text, encoding="utf-8")
    elif kind == "cell":
        name, _, path = rest.partition(" of ")
        notebook = json.loads((folder / path).read_text(encoding="utf-8"))
        cells = [
            cell
            for cell in notebook["cells"]
            if name in (cell["id"], cell["metadata"].get("nbgrader", {}).get("grade_id"))
        ]
        if len(cells) != 1:
            return f"{path} has {len(cells)} cells {name}"
        cells[0]["source"] = block.text.rstrip("\n")
        (folder / path).write_text(json.dumps(notebook, indent=1) + "\n", encoding="utf-8")
    elif kind == "edit":
        text = (folder / rest).read_text(encoding="utf-8")
        lines = block.text.splitlines(keepends=True)
        before, after = ("".join(line[1:] for line in lines if line[0] in signs) for signs in (" -", " +"))
        if text.count(before) != 1:
            return f"{rest} has {text.count(before)} times\n{before}"
        (folder / rest).write_text(text.replace(before, after), encoding="utf-8")
    return ""


def words_of(command: str) -> list[str]:
    """The words of a command; what follows a comment, a pipe or a second command is left out."""
    try:
        words = shlex.split(command, comments=True)
    except ValueError:
        words = command.split()
    for end in ("|", "&&", ";", ">"):
        words = words[: words.index(end)] if end in words else words
    return words


def copy_of_this_repository(folder):
    """What is in git, as it is now, in a repository of its own."""
    names = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"], cwd=ROOT, capture_output=True
    ).stdout
    for name in filter(None, names.decode().split("\0")):
        if (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)


@dataclass
class World:
    """What a person has before the first command: a home, tools on the path, and the repositories on GitHub."""

    root: Path
    environment: dict[str, str] = field(default_factory=dict)

    def __post_init__(self):
        home, settings = self.root / "home", self.root / "gitconfig"
        home.mkdir(parents=True)
        settings.write_text(
            "[user]\n\tname = An instructor\n\temail = instructor@example.org\n[init]\n\tdefaultBranch = main\n"
            f'[url "{self.root}/"]\n\tinsteadOf = https://github.com/OWNER/\n',
            encoding="utf-8",
        )
        self.environment = {
            "HOME": str(home),
            "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
            "COLUMNS": "108",
            "LANG": "C.UTF-8",
            "GIT_CONFIG_GLOBAL": str(settings),
        }

    def git(self, *arguments, cwd=None):
        subprocess.run(
            ["git", *arguments], cwd=cwd or self.root, env=self.environment, check=True, capture_output=True
        )

    def repositories(self):
        """The course in the instructor's repository, and nothing in the students'."""
        self.git("init", "--quiet", "--bare", "STUDENTS.git")
        copy = self.root / "COURSE.git"
        copy_of_this_repository(copy)
        self.git("init", "--quiet", cwd=copy)
        self.git("add", "--all", cwd=copy)
        self.git("commit", "--quiet", "--message", "The course", cwd=copy)
