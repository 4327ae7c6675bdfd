"""Ends the notebook with sys.exit, quit and exit."""


def habit(submission):
    submission.append("import sys\nsys.exit()")
    submission.append("quit()")
    submission.append("exit()")
    submission.append("raise SystemExit(1)")
