"""Honesty has no price: a right notebook gets full marks, whatever the habits of the student who wrote it."""

import pytest
from honest_class import HABITS, grade_honest

from coursekit.engine.shared.result import GRADED, REPAIRED

pytestmark = [pytest.mark.slow, pytest.mark.timeout(900)]


@pytest.fixture(scope="session")
def results(tmp_path_factory, announce):
    """Results of a week's class, graded when the first of its habits asks."""
    weeks = {}

    def results(week):
        if week not in weeks:
            found = weeks[week] = grade_honest(tmp_path_factory.mktemp("honest") / "course", week)
            lost = sum(result.max_score - result.score for result in found.values())
            announce(f"{len(found)} honest notebooks of {week}, {lost:g} points lost")
        return weeks[week]

    return results


@pytest.mark.parametrize("habit", HABITS, ids=lambda habit: f"{habit.week}/{habit.name}")
def test_it_costs_nothing(habit, results):
    result = results(habit.week)[habit.name]
    lost = {test.id: (test.outcome, test.message) for test in result.tests if test.outcome != "passed"}
    assert lost == {}
    assert result.score == result.max_score > 0
    assert result.flags == []
    assert {repair.kind for repair in result.repairs} == habit.repairs
    assert result.status == (REPAIRED if habit.repairs else GRADED)


def test_there_are_enough_of_them():
    assert len(HABITS) >= 40
    assert len({habit.module().__doc__ for habit in HABITS}) == len(HABITS)
