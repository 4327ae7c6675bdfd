"""What a mistake costs: the share of a question's points that each wrong answer of the bank keeps.

A point should mean a property: a slip leaves most of a question's points, and a misunderstanding does not. The author
of a wrong answer says what is wrong (`Mistakes`) and which share of the points it deserves (`Deserves`), without
looking at what the tests give. Which tests it fails is in its field `Fails`, so nothing is run here; another check runs
the answer to make sure of that.
"""

from collections.abc import Iterator
from statistics import median

from coursekit.course.bank import CONCEPT, SLIP, Answer
from coursekit.engine.shared.master import TEST, Master

MIN_KEPT_BY_A_SLIP = 1 / 2
MAX_KEPT_WITH_A_CONCEPT = 2 / 3
MAX_DIFFERENCE = 1 / 4  # between the share that an answer keeps and the one that it deserves
MAX_SHARE_DIFFERENT = 1 / 10  # of a week's wrong answers


def kept(master: Master, answer: Answer) -> float:
    """Return the share of its question's points that a wrong answer keeps, from 0 to 1."""
    points = {
        cell.grade_id: cell.points
        for cell in master.cells
        if cell.role == TEST and cell.question == answer.question
    }
    total = sum(points.values())
    return (total - sum(points[test] for test in answer.fails)) / total


def facts(master: Master, bank: list[Answer]) -> dict[str, list[str]]:
    """Return {a fact that should hold of the bank's wrong answers that state their mistakes: its problems}.

    An answer with the field `Exception` may keep any share, but counts among those that get another one than they
    deserve.
    """
    stated = [answer for answer in bank if answer.mistakes]
    different = [
        answer for answer in stated if answer.exception or _difference(master, answer) > MAX_DIFFERENCE
    ]
    many = len(different) > MAX_SHARE_DIFFERENT * len(stated)
    return {
        f"one slip costs at most {1 - MIN_KEPT_BY_A_SLIP:.0%} of its question, a concept at least "
        f"{1 - MAX_KEPT_WITH_A_CONCEPT:.0%}": [
            problem for answer in stated for problem in _unfair(master, answer)
        ],
        f"at most {MAX_SHARE_DIFFERENT:.0%} of the wrong answers get a share of the points that is more than "
        f"{MAX_DIFFERENCE:.0%} from what they deserve ({len(different)} of {len(stated)})": [
            f"{answer.name} keeps {kept(master, answer):.0%} of {answer.question}, and deserves {answer.deserves:.0%}. "
            f"{len(different)} of {len(stated)} wrong answers differ by more than {MAX_DIFFERENCE:.0%}, or have an "
            "`Exception`: give the tests other points, or split them"
            for answer in (different if many else [])
        ],
    }


def lines(master: Master, bank: list[Answer]) -> Iterator[str]:
    """Yield a line for each question and kind of mistake: how much of the points such answers keep."""
    for question in master.questions:
        for kind, name in ((SLIP, "one slip"), (CONCEPT, "a concept"), ("", "several slips")):
            shares = sorted(
                kept(master, answer)
                for answer in bank
                if answer.question == question.id and answer.mistakes and _kind(answer) == kind
            )
            if shares:
                yield (
                    f"{question.id}: {name} keeps {shares[0]:.0%} to {shares[-1]:.0%}, median {median(shares):.0%} "
                    f"({len(shares)} answer{'s' * (len(shares) != 1)})"
                )


def _kind(answer: Answer) -> str:
    """Return CONCEPT if one is among an answer's mistakes, SLIP if that is its only one, or else ""."""
    if CONCEPT in answer.mistakes:
        return CONCEPT
    return SLIP if answer.mistakes == (SLIP,) else ""


def _difference(master: Master, answer: Answer) -> float:
    return abs(kept(master, answer) - answer.deserves)


def _unfair(master: Master, answer: Answer) -> Iterator[str]:
    share, kind = kept(master, answer), _kind(answer)
    if answer.exception:
        return
    if kind == SLIP and share < MIN_KEPT_BY_A_SLIP - 1e-9:
        yield (
            f"{answer.name} has one slip and keeps {share:.0%} of {answer.question}: at least "
            f"{MIN_KEPT_BY_A_SLIP:.0%} is fair"
        )
    if kind == CONCEPT and share > MAX_KEPT_WITH_A_CONCEPT + 1e-9:
        yield (
            f"{answer.name} has not understood a concept and keeps {share:.0%} of {answer.question}: at most "
            f"{MAX_KEPT_WITH_A_CONCEPT:.0%} is fair"
        )
