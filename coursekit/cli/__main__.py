"""`python -m coursekit.cli`: the command `course` where no script of that name is on PATH."""

from coursekit.cli.commands import main

main()
