"""The tables that coursekit adds to nbgrader's.

Importing SQLAlchemy takes 0.3 s and nbgrader 1.7 s, and the first submission of `course grade` waits for neither: this
module, `rows` and `cells` are imported where they are used.
"""

from sqlalchemy import Boolean, Column, Float, Integer, MetaData, ScalarSelect, String, Table, Text, select

from coursekit.course.config import Week

_metadata = MetaData()
# The result that was last recorded for a submission.
RECORDED = Table(
    "coursekit_submission",
    _metadata,
    Column("notebook_id", String(32), primary_key=True),  # submitted_notebook.id
    Column("status", String(32), nullable=False),
    Column("submission", String(64), nullable=False),  # the submission's hash
    Column("flags", String(64), nullable=False),  # digest of the flags and the submission
)
# The rubric items of all questions.
RUBRIC_ITEMS = Table(
    "coursekit_rubric_item",
    _metadata,
    Column("id", String(32), primary_key=True),
    Column("week", String(128), nullable=False, index=True),
    Column("question", String(128), nullable=False),
    Column("place", Integer, nullable=False),  # the order in which they were made
    Column("text", Text, nullable=False),
    Column("points", Float, nullable=False),
    Column("gone", Boolean, nullable=False),  # somebody removed it
)
# The mark that a person gave an answer, and the points and the comment that nbgrader's tables got from it. If those
# differ now, somebody changed them in the formgrader, and the change counts.
MARKS = Table(
    "coursekit_given",
    _metadata,
    Column("notebook_id", String(32), primary_key=True),
    Column("question", String(128), primary_key=True),
    Column("item_ids", Text, nullable=False),  # JSON
    Column("points", Float),
    Column("comment", Text, nullable=False),
    Column("wrote_points", Float),
    Column("wrote_comment", Text),
    Column("who", String(64), nullable=False),
    Column("at", String(32), nullable=False),
)
# The actions of people who marked, so that these can be undone.
ACTIONS = Table(
    "coursekit_action",
    _metadata,
    Column("id", Integer, primary_key=True),
    Column("week", String(128), nullable=False),
    Column("question", String(128), nullable=False),
    Column("who", String(64), nullable=False),
    Column("at", String(32), nullable=False),
    Column("what", Text, nullable=False),  # a sentence
    Column("before", Text, nullable=False),  # JSON of the marks and items, as `after`
    Column("after", Text, nullable=False),
    Column("undone", Boolean, nullable=False),
)


def notebook_of(week: Week) -> ScalarSelect[str]:
    """Return the id of nbgrader's row of a week's notebook, as a subquery."""
    from nbgrader.api import Assignment, Notebook

    return (
        select(Notebook.id)
        .join(Assignment, Assignment.id == Notebook.assignment_id)
        .where(Assignment.name == week.name, Notebook.name == week.notebook)
        .scalar_subquery()
    )
