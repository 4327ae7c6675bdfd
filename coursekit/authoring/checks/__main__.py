"""The gates without the other checks: the shares of each question's points that answers without work get.

python -m coursekit.authoring.checks WEEK [QUESTION]     in the course folder
"""

import sys
from pathlib import Path

from coursekit.authoring.checks import gates
from coursekit.authoring.checks.answers import grade_all
from coursekit.course.config import open_course
from coursekit.engine.coordinator.grade import warm_modules
from coursekit.engine.coordinator.servers import Servers


def main(week_name: str, only: str = "") -> int:
    """Print each question's shares and the gates' problems; return 1 if there are problems, and 0 if not."""
    course = open_course(Path.cwd())
    master = course.master(course.week(week_name))
    trials = gates.trials(master, only)
    with Servers(modules=warm_modules(master, course.limits)) as servers:
        graded = grade_all(course, master, servers, [trial.notebook for trial in trials])
    results = [notebook.result for notebook in graded]
    shares_by_gate = gates.shares(trials, results)
    problems = [problem for of_fact in gates.facts(trials, results).values() for problem in of_fact]
    for question in master.questions:
        if question.names and only in ("", question.id):
            shares = [f"{gate} {shares_by_gate[gate][question.id][0]:4.0%}" for gate in gates.MAX_SHARE]
            print(f"{question.id:20} {'  '.join(shares)}  {shares_by_gate[gates.COPIED][question.id][1]}")
        elif only:
            problems = [line for line in problems if line.split()[1] not in (question.id, *question.tests)]
    print(*problems, sep="\n")
    print(f"{len(trials)} notebooks; {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
