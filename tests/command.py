"""The command `course`, as tests give it: in their own process, or as a program."""

import contextlib
import io
import subprocess
import sys
from pathlib import Path

from coursekit.cli import commands


def course_here(folder: Path, *arguments: str) -> subprocess.CompletedProcess:
    """`course ARGUMENTS` in this folder and in this process, which spares the second that a program's start takes."""
    output, errors, before = io.StringIO(newline=None), io.StringIO(newline=None), sys.argv
    sys.argv, code = ["course", *arguments], 0
    try:
        with (
            contextlib.chdir(folder),
            contextlib.redirect_stdout(output),
            contextlib.redirect_stderr(errors),
        ):
            commands.main()
    except SystemExit as ended:
        code = ended.code or 0
    finally:
        sys.argv = before
    return subprocess.CompletedProcess(arguments, code, output.getvalue(), errors.getvalue())


def course_program(folder: Path, *arguments: str) -> subprocess.CompletedProcess:
    """The same as a program of its own, as a person starts it."""
    command = [sys.executable, "-m", "coursekit.cli", *arguments]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True)


def course_process(
    folder: Path, *arguments: str, stderr: int = subprocess.PIPE, **options
) -> subprocess.Popen:
    """The same program while it is running; `options` are those of Popen."""
    command = [sys.executable, "-m", "coursekit.cli", *arguments]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.PIPE, stderr=stderr, text=True, **options)
