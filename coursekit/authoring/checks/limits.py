"""Whether right answers stay far below the limits, so that a slow style on a slow machine passes as well."""

from collections.abc import Callable, Iterable

from coursekit.course.bank import Answer
from coursekit.engine.coordinator.outcome import Graded
from coursekit.engine.shared.limits import Calibration, Limits
from coursekit.engine.shared.master import Master

SHARE = 0.2
REPETITIONS = 3


def check_used(
    master: Master,
    limits: Limits,
    graded: Iterable[tuple[dict[str, Answer], Graded]],
    again: Callable[[dict[str, Answer]], Graded],
) -> list[str]:
    """A sentence for each right answer of the bank that takes more than SHARE of a limit.

    Args:
        graded: notebooks with the answers that they carry, one to each question named.
        again: grades such a notebook once more. A processor that others use as well does less work in each second, so
            of REPETITIONS the least counts.
    """
    problems = []
    for chosen, first in graded:
        found = over(master, limits, chosen, first)
        for _ in range(REPETITIONS):
            if found:
                found = over(master, limits, chosen, again(chosen))
        problems += found
    return problems


def over(master: Master, limits: Limits, chosen: dict[str, Answer], graded: Graded) -> list[str]:
    """What right answers take too much of, in one notebook."""
    used, problems = graded.used, []
    scale = seconds_of_a_normal_machine(graded.result.calibration)
    for question in master.questions:
        answer = chosen.get(question.id)
        if answer is None or not answer.right:
            continue
        tests = [scale * used.tests.get(test, 0.0) for test in question.tests]
        for name, seconds in (
            ("cell_seconds", scale * used.cells.get(question.id, 0.0)),
            ("test_seconds", max(tests, default=0.0)),
            ("question_seconds", sum(tests)),
        ):
            problems += _over(answer.name, name, seconds, limits)
    if all(answer.right for answer in chosen.values()):
        names = f"a notebook with {', '.join(answer.path.stem for answer in chosen.values())}"
        problems += _over(names, "all_cells_seconds", scale * used.all_cells, limits)
        problems += _over(names, "memory_mb", used.memory_mb, limits)
        problems += _over(names, "output_kb", used.output_kb, limits)
    return problems


def seconds_of_a_normal_machine(here: Calibration) -> float:
    """How many seconds of a normal machine are one second of a limit here: more than 1 where this one is faster."""
    return max(1.0, 1 / max(here.interpreter, here.pages, here.matrix, 0.01))


def _over(who: str, limit: str, used: float, limits: Limits) -> list[str]:
    most = SHARE * getattr(limits, limit)
    if used <= most:
        return []
    return [
        f"{who} uses {used:.2g} of {limit} = {getattr(limits, limit):g}; at most {most:.2g} is safe on every machine. "
        f"Make the limit larger in course.toml, or what is asked smaller."
    ]
