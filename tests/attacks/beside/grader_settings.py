"""Hands in settings for the grader's tools: nbgrader, jupyter, nbconvert, pytest, course.toml."""

CONFIG = b"""
c = get_config()
c.ExecutePreprocessor.enabled = False
c.Execute.allow_errors = True
c.Execute.force_raise_errors = False
c.NbGraderConfig.course_id = "x"
open("/tmp/attack-configured", "a").write("x")
"""
FILES = {
    f"{folder}{name}.py": CONFIG
    for folder in ("", "../")
    for name in ("nbgrader_config", "jupyter_config", "jupyter_nbconvert_config", "conftest", "setup")
} | {
    "course.toml": b"[limits]\ntest_seconds = 100000\n",
    "pyproject.toml": b"[tool.pytest.ini_options]\naddopts = '--co'\n",
    "nbgrader_config.json": b'{"ExecutePreprocessor": {"enabled": false}}',
}
SHOWS = {"status": "graded"}
