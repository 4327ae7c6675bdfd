"""Whether right answers stay far below the limits, so that a slow style on a slow machine passes as well."""

from collections.abc import Callable, Iterable

from coursekit.course.bank import Answer
from coursekit.engine.coordinator.outcome import Graded
from coursekit.engine.shared.limits import Calibration, Limits
from coursekit.engine.shared.master import Master

MAX_SHARE = 0.2
REPETITIONS = 3


def check_used(
    master: Master,
    limits: Limits,
    graded: Iterable[tuple[dict[str, Answer], Graded]],
    again: Callable[[dict[str, Answer]], Graded],
) -> list[str]:
    """Return a sentence for each right answer of the bank that takes more than MAX_SHARE of a limit.

    Args:
        graded: notebooks with the answers that they carry, one to each question named.
        again: grades such a notebook once more. A processor that others use as well does less work in each second, so
            of REPETITIONS the least counts.
    """
    problems = []
    for chosen, first in graded:
        found = _above(master, limits, chosen, first)
        for _ in range(REPETITIONS):
            if found:
                found = _above(master, limits, chosen, again(chosen))
        problems += found
    return problems


def _above(master: Master, limits: Limits, chosen: dict[str, Answer], graded: Graded) -> list[str]:
    """What right answers take too much of, in one notebook."""
    used = graded.used
    scale = _speed(graded.result.calibration)
    found: list[tuple[str, str, float]] = []  # (what uses it, the limit's name, how much)
    for question in master.questions:
        answer = chosen.get(question.id)
        if answer is not None and answer.right:
            tests = [scale * used.tests.get(test, 0.0) for test in question.tests]
            found += [
                (answer.name, "cell_seconds", scale * used.cells.get(question.id, 0.0)),
                (answer.name, "test_seconds", max(tests, default=0.0)),
                (answer.name, "question_seconds", sum(tests)),
            ]
    if all(answer.right for answer in chosen.values()):
        notebook = f"a notebook with {', '.join(answer.path.stem for answer in chosen.values())}"
        found += [
            (notebook, "all_cells_seconds", scale * used.all_cells),
            (notebook, "memory_mb", used.memory_mb),
            (notebook, "output_kb", used.output_kb),
        ]
    return [
        f"{name} uses {amount:.2g} of {limit} = {most:g}; at most {MAX_SHARE * most:.2g} is safe on every machine. "
        "Make the limit larger in course.toml, or what is asked smaller."
        for name, limit, amount in found
        if amount > MAX_SHARE * (most := getattr(limits, limit))
    ]


def _speed(here: Calibration) -> float:
    """How many seconds of a normal machine are one second here: more than 1 where this one is faster."""
    return max(1.0, 1 / max(here.interpreter, here.pages, here.matrix, 0.01))
