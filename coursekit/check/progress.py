"""The last cell of a week: which questions pass their visible tests, for a student who is about to hand in.

On Colab the notebook's own file cannot be read, so the cell takes each test from what was run in this session.
It is generated: `python -m coursekit.check.progress WEEK`, in the course folder, prints it.
"""

import json
import sys
from pathlib import Path

from coursekit.course import open_course
from coursekit.master import TEST, Master

CELL_ID = "progress"

_BODY = '''# @title Which questions pass their visible tests? Run this cell last.
import contextlib
import io

VISIBLE_TESTS = {tests}


def outcome_now(test):
    """Run a test again, on the answers as they are now; it must have been run in this session before."""
    for source in reversed(In):
        if source.rstrip().endswith(f'print("{{test}}: passed")'):
            break
    else:
        return "not run"
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            exec(source, dict(globals()))
    except NotImplementedError:
        return "not done"
    except Exception:
        return "fails"
    return "passes"


print(f"{{'question':<{width}}} {{'visible tests':>13}}")
for question, tests in VISIBLE_TESTS.items():
    outcomes = {{test: outcome_now(test) for test in tests}}
    passed = sum(outcome == "passes" for outcome in outcomes.values())
    counted = f"{{passed}} of {{len(tests)}}" if tests else "a person grades it"
    missing = ", ".join(f"{{test}} {{outcome}}" for test, outcome in outcomes.items() if outcome != "passes")
    print(f"{{question:<{width}}} {{counted:>13}}  {{missing}}".rstrip())
print("Hidden tests remain: they check the same contracts when your notebook is graded.")
print("A test that was not run in this session counts as 'not run': run all cells, then this one.")
'''


def progress_cell(master: Master) -> str:
    """The cell's source, from the master's questions and visible tests."""
    hidden = {cell.grade_id for cell in master.cells if cell.role == TEST and cell.hidden}
    tests = {
        question.title: [test for test in question.tests if test not in hidden]
        for question in master.questions
    }
    lines = ["{"]
    for title, names in tests.items():
        lines.append(f"    {json.dumps(title, ensure_ascii=False)}: [")
        lines += [f'        "{name}",' for name in names]
        lines.append("    ],")
    lines.append("}")
    table = "\n".join(lines).replace("[\n    ],", "[],")
    return _BODY.format(tests=table, width=max(map(len, tests))).rstrip("\n")


def check_progress(master: Master) -> list[str]:
    """The last cell is this one, and names the tests that the notebook has now."""
    last = master.cells[-1]
    if last.cell_id != CELL_ID or "skip-grading" not in last.tags:
        return [f"the last cell is not a cell with id `{CELL_ID}`, tagged `skip-grading`"]
    if last.source != progress_cell(master):
        return [
            f"cell {CELL_ID} is not what the questions give now: "
            f"put in what `python -m coursekit.check.progress {master.week}` prints"
        ]
    return []


if __name__ == "__main__":
    course = open_course(Path.cwd())
    print(progress_cell(course.master(course.week(sys.argv[1]))))
