"""Is handed in under a name that a spreadsheet takes for a formula, of nothing but allowed characters."""

SHOWS = {"status": "graded"}
STUDENT = "-1+1@SUM.page"
