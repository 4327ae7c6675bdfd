"""The gates alone: each question's shares.

python -m coursekit.authoring.checks WEEK [QUESTION]     in the course folder
"""

import os
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from coursekit.authoring.checks.blanks import make_blanks, problems_of_blanks
from coursekit.authoring.checks.gates import MOST, PASTE, problems, shares, trials
from coursekit.course.config import open_course
from coursekit.engine.coordinator.grade import grade, warm_modules
from coursekit.engine.coordinator.servers import Servers
from coursekit.engine.shared.master import fill


def main(week_name: str, only: str = "") -> int:
    """Print each question's shares, and what passes a gate too easily."""
    course = open_course(Path.cwd())
    master = course.master(course.week(week_name))
    tried = trials(master, only)
    blanks = make_blanks(master.solutions)
    notebooks = [trial.notebook for trial in tried] + [fill(master, blank.sources) for blank in blanks]
    with (
        Servers(modules=warm_modules(master, course.limits)) as servers,
        ThreadPoolExecutor(os.cpu_count()) as pool,
    ):
        graded = [*pool.map(lambda data: grade(master, data, course.limits, servers).result, notebooks)]
    found = shares(tried, graded[: len(tried)])
    for question in master.questions:
        if question.names and only in ("", question.id):
            cells = [f"{gate} {found[gate][question.id][0]:4.0%}" for gate in MOST]
            print(f"{question.id:20} {'  '.join(cells)}  {found[PASTE][question.id][1]}")
    wrong = [problem for gate in MOST for problem in problems(found, gate)]
    wrong += problems_of_blanks(blanks, graded[len(tried) :])
    if only:
        (tests,) = (question.tests for question in master.questions if question.id == only)
        wrong = [problem for problem in wrong if problem.split()[1] in (only, *tests)]
    print(*wrong, sep="\n")
    print(f"{len(notebooks)} notebooks; {len(wrong)} problems")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
