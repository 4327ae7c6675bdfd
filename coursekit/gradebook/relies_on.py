"""What this room takes from inside nbgrader: its documentation promises a few of these names, and no behaviour.

The tables of the gradebook are written in bulk, past nbgrader's own methods; its converter is run without its database;
what the formgrader and two commands would do wrong here is put right.
"""

_TABLES = "results cannot be written into the gradebook"
_PAGE = "a notebook that takes an hour to be shown stops the formgrader for all TAs"
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
    **dict.fromkeys(
        (
            "nbgrader.apps.api:NbGraderAPI.generate_assignment(self, assignment_id, force, create)",
            "nbgrader.apps.api:NbGraderAPI.autograde(self, assignment_id, student_id, force, create)",
            "nbgrader.apps.api:NbGraderAPI.generate_feedback(self, assignment_id, student_id, force)",
            "nbgrader.apps.api:NbGraderAPI.release_assignment(self, assignment_id)",
            "nbgrader.apps.api:NbGraderAPI.unrelease(self, assignment_id)",
            "nbgrader.apps.api:NbGraderAPI.collect(self, assignment_id, update)",
            "nbgrader.apps.api:NbGraderAPI.release_feedback(self, assignment_id, student_id)",
        ),
        "a button of the formgrader runs students' code without the sandbox, or replaces results and pages",
    ),
    "nbgrader.plugins:ExportPlugin": "`nbgrader export` writes no platform's sheet",
    "nbgrader.converters:NbGraderException": "plain nbgrader is not refused with a sentence",
    "nbgrader.converters:Autograde.start(self)": "`nbgrader autograde` replaces results",
    "nbgrader.converters:GenerateFeedback.start(self)": "`nbgrader generate_feedback` shows hidden tests",
    "nbgrader.exchange:ExchangeError": "the formgrader logs a critical error at each request",
    "nbgrader.exchange.default:ExchangeList.start(self)": "the formgrader logs a critical error at each request",
    "nbgrader.server_extensions.formgrader.base:BaseHandler.on_finish(self)": (
        "the formgrader goes on showing the marks that it read first"
    ),
    "nbgrader.server_extensions.formgrader.base:BaseHandler.exporter": _PAGE,
    "nbgrader.server_extensions.formgrader.handlers:SubmissionHandler.get(self, submission_id)": _PAGE,
}
