"""Sentences that tell a student why a submission was graded again."""

from collections.abc import Iterable, Mapping, Sequence

from coursekit.deliver.templates import points
from coursekit.engine.shared.result import Result
from coursekit.grading.regrades import GRADER, NOTEBOOK, TESTS, Regrade

MAX_PARAGRAPHS = 3  # for the last regrades


def regrade_paragraphs(
    regrades: Sequence[Regrade], result: Result, by_people: Mapping[str, float]
) -> list[str]:
    """Return a paragraph for each of the last MAX_PARAGRAPHS regrades, the last one first.

    Args:
        by_people: {test: points} for tests that a person marked.
    """
    titles = {question.id: question.title.replace("`", "") or question.id for question in result.questions}
    return [_paragraph(regrade, titles, by_people) for regrade in reversed(regrades[-MAX_PARAGRAPHS:])]


def _paragraph(regrade: Regrade, titles: Mapping[str, str], by_people: Mapping[str, float]) -> str:
    causes = {
        TESTS: f"the tests of {_listed(titles.get(name, name) for name in regrade.questions)} changed",
        NOTEBOOK: "the course's notebook changed",
        GRADER: "the grader itself changed",
    }
    why = " and ".join(causes[cause] for cause in regrade.changed if cause in causes)
    sentences = [f"Graded again on {regrade.when[:10]}" + (f": {why}." if why else ".")]
    for moved in regrade.moved:
        tests = f"from the tests of {_listed([titles.get(moved.question, moved.question)])}"
        if by_people.keys() >= set(moved.tests):
            sentences.append(f"The points {tests} changed; those given by hand stay.")
        else:
            before, after = points(moved.before), points(moved.after)
            sentences.append(f"Your points {tests} went from {before} to {after}.")
    if not regrade.moved:
        sentences.append("Your points stayed the same.")
    if regrade.why.strip():
        sentences.append(f"Your instructor says: {regrade.why.strip()}")
    return " ".join(sentences)


def _listed(names: Iterable[str]) -> str:
    """Return the names as “one”, “two” and “three”."""
    *first, last = [f"“{name}”" for name in names] or ["a question"]
    return f"{', '.join(first)} and {last}" if first else last
