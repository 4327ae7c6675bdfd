"""nbgrader's settings, so that `nbgrader ...` and the formgrader work in this folder too.

Start both from this folder: nbgrader reads this file from the working directory.
"""

from coursekit import configure_nbgrader

c = get_config()  # noqa: F821 (nbgrader gives it)
configure_nbgrader(c)

# source/ release/ submitted/ autograded/ feedback/ and gradebook.db lie beside this file: nbgrader's default.
c.CourseDirectory.course_id = "transformer"
# The gradebook on PostgreSQL instead of gradebook.db: docs/gradebook.md. Its password does not belong in this file.
# c.CourseDirectory.db_url = "postgresql+psycopg://course@db.example.org/course"

# Seconds a cell on the clock: with imports and training, which `course grade` does not repeat.
c.Execute.timeout = 60
