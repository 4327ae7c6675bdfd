"""A class of attackers, graded once: nobody gets a point that the code did not earn, and nothing else happens."""

import pytest
from attacks.harness import outcome, read_attacks, run_class

pytestmark = [pytest.mark.slow, pytest.mark.timeout(1500)]

ATTACKS = read_attacks()


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return run_class(tmp_path_factory.mktemp("attacks"), ATTACKS)


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.student)
def test_attack(run, attack):
    student = run.ids[attack.group, attack.name]
    if attack.refused:
        assert run.answer["failed"][student] and student not in run.answer["graded"]
        return
    found = run.result(student)
    assert found is not None, run.answer.get("failed", {}).get(student, run.output[-2000:])
    passed = [test.id for test in found.tests if test.outcome == "passed"]
    assert found.score == attack.earns, f"passed: {passed}"
    assert found.score == sum(test.score for test in found.tests)
    assert (
        found.max_score == sum(test.points for test in found.tests) == run.course.master(run.week).max_score
    )
    assert [flag for flag in found.flags if flag.kind == "engine_fault"] == []
    page = run.course.feedback(student, run.week) / f"{run.week.notebook}.html"
    written = outcome(run.course, student) | {"page": page.read_bytes()}
    assert [
        (path, token) for path in written for token in run.secrets if token.encode() in written[path]
    ] == []


def test_class_is_finished(run):
    refused = {run.ids[attack.group, attack.name] for attack in ATTACKS if attack.refused}
    everyone = {*run.ids.values(), *run.neighbours}
    assert run.code == (1 if refused else 0), run.output[-2000:]
    assert set(run.answer["graded"]) == everyone - refused
    assert set(run.answer["failed"]) == refused
    assert run.answer["unchanged"] == []


def test_neighbours_are_as_without_attackers(run):
    scores = {}
    for student in run.neighbours:
        assert len(run.alone[student]) == 2
        assert outcome(run.course, student) == run.alone[student], student
        scores[student] = run.result(student).score
    most = run.course.master(run.week).max_score
    assert scores["a-neighbour"] == most > scores["n-neighbour"] > scores["z-neighbour"] == 0


def test_gradebook_has_the_marks_of_the_results(run):
    from nbgrader.api import Gradebook

    with Gradebook(f"sqlite:///{run.course.root / 'gradebook.db'}", "transformer") as book:
        marks = {item.student.id: item.score for item in book.assignment_submissions(run.week.name)}
        most = sum(question.max_score for question in run.course.master(run.week).questions)
        assert book.find_assignment(run.week.name).max_score == most
    assert marks == {student: run.result(student).score for student in run.answer["graded"]}


def test_nothing_else_was_touched(run):
    assert run.traces == []


def test_what_is_attacked_is_worth_nothing(run, announce):
    """An attacker who does nothing gets nothing, so every point above would be one that an attack made."""
    assert run.result("base").score == 0
    undeserved = sum(
        run.result(run.ids[attack.group, attack.name]).score - attack.earns
        for attack in ATTACKS
        if not attack.refused
    )
    groups = {attack.group for attack in ATTACKS}
    announce(
        f"attacks: {len(ATTACKS)} in {len(groups)} groups, {undeserved:g} undeserved points, "
        f"{len(run.traces)} traces, {run.seconds:.0f} s"
    )
