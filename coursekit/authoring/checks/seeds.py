"""Check that hidden tests ask something new of each hand-in, and judge the bank's answers alike whatever they ask."""

import ast
import os
import random
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

from coursekit.authoring.checks.answers import Carried, Facts, carrying, compare_all
from coursekit.course.bank import Answer
from coursekit.course.config import Course
from coursekit.course.hidden_seed import SEED_BYTES
from coursekit.engine.coordinator.compiling import compile_test
from coursekit.engine.coordinator.grade import grade
from coursekit.engine.coordinator.outcome import Graded
from coursekit.engine.coordinator.servers import Servers
from coursekit.engine.coordinator.submission import Submission
from coursekit.engine.shared.master import TEST, Master
from coursekit.engine.shared.program import HIDDEN_SEED


def check_text(master: Master) -> list[str]:
    """Return a sentence for each test that uses HIDDEN_SEED where it is not that of the hand-in."""
    problems = []
    for cell in master.cells:
        if cell.role != TEST:
            continue
        program = compile_test(cell.source, master.solution_names)
        if program.seeded and not cell.hidden:
            problems.append(
                f"test {cell.grade_id} is visible and uses {HIDDEN_SEED}, which is 0 there: write a number"
            )
        if any(_names(source, HIDDEN_SEED) for _, source, _ in program.probes):
            problems.append(
                f"test {cell.grade_id} uses {HIDDEN_SEED} in a probe, beside the student's code, where it is 0: pass "
                "the probe what it needs as an argument"
            )
    return problems


def facts(
    course: Course,
    master: Master,
    servers: Servers,
    carried: list[Carried],
    count: int,
    workers: int | None,
) -> Facts:
    """Grade the reference and the bank's notebooks with some seeds, and return the facts that hold with each.

    Args:
        carried: the bank's notebooks, graded with the seed 0; what is wrong with that seed, too, is not said again.
        count: the number of seeds, at least 2.
    """
    drawn = [random.Random(number).getrandbits(8 * SEED_BYTES) for number in range(count)]

    def all_seeds(chosen: dict[str, Answer]) -> list[Graded]:
        pieces = {f"{master.name}.ipynb": carrying(master, chosen)}
        graded: list[Graded] = []
        for seed in drawn:
            with Submission.of_bytes(pieces, hidden_seed=seed) as submission:
                # What came of the first seed leaves only the tests to run that draw from it.
                one = grade(master, submission, course.limits, servers, graded[0] if graded else None)
                graded.append(replace(one, notebook=b"") if graded else one)
        return graded

    with ThreadPoolExecutor(workers or os.cpu_count()) as pool:
        reference, *others = pool.map(all_seeds, [{}, *(chosen for chosen, _ in carried)])
    problems = []
    for seed, of_seed in zip(drawn, reference, strict=True):
        if of_seed.result.score < of_seed.result.max_score:
            failed = [test.id for test in of_seed.result.tests if test.score < test.points]
            problems.append(f"with the hidden seed {seed} the reference fails {', '.join(failed)}")
    for (chosen, first), with_seeds in zip(carried, others, strict=True):
        known = compare_all(chosen, first.result)
        for seed, of_seed in zip(drawn, with_seeds, strict=True):
            found = [sentence for sentence in compare_all(chosen, of_seed.result) if sentence not in known]
            problems += [f"with the hidden seed {seed}: {sentence}" for sentence in found]
    return {
        f"each test that uses {HIDDEN_SEED} asks something new of each hand-in": list(
            _unchanging(master, reference)
        ),
        f"the bank's answers pass and fail the same tests with {count} hidden seeds": problems,
    }


def _unchanging(master: Master, graded: list[Graded]) -> Iterator[str]:
    """Yield a sentence for each test that uses HIDDEN_SEED and asked the same with all seeds."""
    for cell in master.cells:
        if cell.role == TEST and cell.hidden and compile_test(cell.source, master.solution_names).seeded:
            requests = {each.used.requests.get(cell.grade_id) for each in graded}
            if len(requests) == 1:
                yield f"hidden test {cell.grade_id} uses {HIDDEN_SEED}, and asks the same of every hand-in"


def _names(source: str, name: str) -> bool:
    return any(isinstance(node, ast.Name) and node.id == name for node in ast.walk(ast.parse(source)))
