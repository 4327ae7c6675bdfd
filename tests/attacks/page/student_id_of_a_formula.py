"""Is handed in under a name that a spreadsheet takes for a formula, of nothing but allowed characters."""

SHOWS = {"status": "graded", "repairs": set(), "flags": set()}


def attack(submission):
    submission.student = "-1+1@SUM.page"
