"""A class of honest students with broken notebooks, graded once: answers count, and each repair is reported."""

import html

import pytest
from damage.harness import UNDAMAGED, read_damages, run_class

from coursekit.deliver.feedback.messages import REPAIR
from coursekit.engine.coordinator.sentences import sentence

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]

DAMAGES = read_damages()


@pytest.fixture(scope="module")
def run(tmp_path_factory):
    return run_class(tmp_path_factory.mktemp("damage"), DAMAGES)


def by_question(result):
    return {question.id: question.score for question in result.questions}


def expected(run, damage):
    """What the undamaged notebook gets, without what is lost for good."""
    lost = dict.fromkeys(damage.lost, 0.0)
    scores = by_question(run.result(damage.week, UNDAMAGED))
    assert lost.keys() <= scores.keys()
    return scores | (dict.fromkeys(scores, 0.0) if damage.status == "unreadable" else lost)


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.student)
def test_damage(run, damage):
    result = run.result(damage.week, damage.student)
    assert result is not None, run.output[-3000:]
    assert {note.kind for note in result.repairs} == set(damage.repairs)
    flags = {"unreadable"} if damage.status == "unreadable" else set()
    assert {note.kind for note in result.flags} == flags | set(damage.flags)
    failed = [(test.id, test.message) for test in result.tests if test.outcome != "passed"]
    assert by_question(result) == expected(run, damage), failed
    assert result.status == damage.status
    assert result.needs_review or not result.flags


@pytest.mark.parametrize("damage", DAMAGES, ids=lambda damage: damage.student)
def test_each_repair_is_reported_in_a_sentence(run, damage):
    result = run.result(damage.week, damage.student)
    week = run.course.week(damage.week)
    page = (run.course.feedback(damage.student, week) / f"{week.notebook}.html").read_text(encoding="utf-8")
    page = html.unescape(page)
    for note in [*result.repairs, *result.flags]:
        text = sentence(note)
        assert text[0].isupper() and text.endswith((".", "?")), note
    for note in result.repairs:
        assert REPAIR[note.kind] in page


def test_undamaged_is_graded_as_it_is_and_not_with_full_marks(run):
    """The yardstick: nothing to repair, most questions right, one partly wrong, one for a person."""
    for week in {damage.week for damage in DAMAGES}:
        result = run.result(week, UNDAMAGED)
        assert (result.status, result.repairs, result.flags) == ("graded", [], [])
        full = [question.score == question.max_score for question in result.questions]
        assert full.count(False) == 2
        assert min(score for score in by_question(result).values() if score is not None) > 0


def test_no_honest_answer_is_lost(run, announce):
    """Over all of them: every answer that is in a file in a recognisable place has the marks it has undamaged."""
    assert run.code == 0, run.output[-3000:]
    answers, lost = 0, []
    for damage in DAMAGES:
        undamaged = by_question(run.result(damage.week, UNDAMAGED))
        found = by_question(run.result(damage.week, damage.student))
        if damage.status == "unreadable":
            continue
        for question, score in undamaged.items():
            if question not in damage.lost:
                answers += 1
                if found[question] != score:
                    lost.append((damage.student, question, found[question], score))
    announce(
        f"damage: {len(DAMAGES)} damaged notebooks, {answers} honest answers in them, {len(lost)} lost, "
        f"{run.seconds:.0f} s"
    )
    assert lost == []
    assert len(DAMAGES) >= 55
