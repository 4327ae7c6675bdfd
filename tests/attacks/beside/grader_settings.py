"""Hands in settings for the tools of the grader: nbgrader_config.py, jupyter and nbconvert settings, course.toml, pyproject.toml, conftest.py."""

SHOWS = {"status": "graded", "repairs": set(), "flags": set()}

CONFIG = b"""
c = get_config()
c.ExecutePreprocessor.enabled = False
c.Execute.allow_errors = True
c.Execute.force_raise_errors = False
c.NbGraderConfig.course_id = "x"
open("/tmp/attack-configured", "a").write("x")
"""


def attack(submission):
    for name in (
        "nbgrader_config.py",
        "jupyter_config.py",
        "jupyter_nbconvert_config.py",
        "conftest.py",
        "setup.py",
        "noxfile.py",
    ):
        submission.files[name] = CONFIG
        submission.files[f"../{name}"] = CONFIG
    submission.files["course.toml"] = b"[limits]\ntest_seconds = 100000\n"
    submission.files["pyproject.toml"] = b"[tool.pytest.ini_options]\naddopts = '--co'\n"
    submission.files["nbgrader_config.json"] = b'{"ExecutePreprocessor": {"enabled": false}}'
