"""What this room takes from inside nbgrader: its documentation promises a few of these names, and no behaviour.

The tables of the gradebook are written in bulk, past nbgrader's own methods; its converter is run without its database;
three places of the formgrader are put right.
"""

_TABLES = "results cannot be written into the gradebook"
_RELEASE = "no release can be made"

# {"module:name(arguments)": what no longer holds when it is another}
NBGRADER = {
    "nbgrader:api": "the gradebook cannot be opened",
    "nbgrader.api:Gradebook.__init__(self, db_url, course_id, authenticator)": "the gradebook cannot be opened",
    "nbgrader.api:Assignment": _TABLES,
    "nbgrader.api:Base": _TABLES,
    "nbgrader.api:Comment": _TABLES,
    "nbgrader.api:Grade": _TABLES,
    "nbgrader.api:GradeCell": _TABLES,
    "nbgrader.api:Notebook": _TABLES,
    "nbgrader.api:SolutionCell": _TABLES,
    "nbgrader.api:SourceCell": _TABLES,
    "nbgrader.api:Student": _TABLES,
    "nbgrader.api:SubmittedAssignment": _TABLES,
    "nbgrader.api:SubmittedNotebook": _TABLES,
    "nbgrader.api:new_uuid()": _TABLES,
    "nbgrader.api:get_alembic_version()": "the first `course release` takes 2 s more and needs `alembic` on PATH",
    "nbgrader.dbutil:ALEMBIC_DIR": "a new gradebook has no version, and nbgrader cannot upgrade it later",
    "nbgrader.utils:is_grade(cell)": _RELEASE,
    "nbgrader.utils:is_locked(cell)": _RELEASE,
    "nbgrader.utils:is_solution(cell)": _RELEASE,
    "nbgrader.converters:GenerateAssignment.preprocessors": _RELEASE,
    "nbgrader.coursedir:CourseDirectory": _RELEASE,
    "nbgrader.preprocessors:NbGraderPreprocessor": _RELEASE,
    "nbgrader.preprocessors:SaveCells": _RELEASE,
    "nbgrader.apps.api:NbGraderAPI.get_submitted_timestamp(self, assignment_id, student_id)": (
        "a pipe called timestamp.txt holds up the formgrader for good"
    ),
    "nbgrader.exchange:ExchangeError": "the formgrader logs a critical error at each request",
    "nbgrader.exchange.default:ExchangeList.start(self)": "the formgrader logs a critical error at each request",
    "nbgrader.server_extensions.formgrader.base:BaseHandler.on_finish(self)": (
        "the formgrader goes on showing the marks that it read first"
    ),
}
