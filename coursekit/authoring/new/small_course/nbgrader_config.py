"""nbgrader's settings, so that `nbgrader ...` and the formgrader work in this folder too.

Start both from this folder: nbgrader reads this file from the working directory.
"""

from coursekit import configure_nbgrader

c = get_config()  # noqa: F821 (nbgrader gives it)
configure_nbgrader(c)

c.CourseDirectory.course_id = "my_course"
# The gradebook on PostgreSQL instead of gradebook.db; its password does not belong in this file.
# c.CourseDirectory.db_url = "postgresql+psycopg://course@db.example.org/course"
