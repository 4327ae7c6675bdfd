"""How often a student may hand in, and what counts: for any times and points."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from coursekit.course.config import HandIns
from coursekit.serve.policy import Outcome, attempts, counting

START = datetime(2027, 3, 1, tzinfo=UTC)
TIMES = st.lists(st.integers(0, 100_000), max_size=40).map(
    lambda seconds: [START + timedelta(seconds=second) for second in sorted(seconds)]
)
SETTINGS = st.builds(HandIns, attempts=st.integers(1, 5), minutes=st.integers(1, 90))
OUTCOMES = st.lists(
    st.builds(Outcome, st.just(0), st.integers(0, 9), st.integers(0, 3), st.booleans()), max_size=8
).map(
    lambda all_of_them: [
        Outcome(number, one.score, one.waiting, one.on_time) for number, one in enumerate(all_of_them)
    ]
)


@given(TIMES, SETTINGS)
def test_nobody_hands_in_more_often_than_the_bucket_allows(wanted, settings):
    """A greedy student gets the bucket and what came back since; and the time that is promised is kept."""
    used = []
    for now in wanted:
        left = attempts(used, now, settings)
        assert 0 <= left.left <= settings.attempts
        if left.left:
            used.append(now)
        else:
            assert left.next_at > now
            soon = timedelta(milliseconds=1)
            assert attempts(used, left.next_at + soon, settings).left >= 1
            assert attempts(used, left.next_at - timedelta(seconds=1), settings).left == 0
    if used:
        came_back = (used[-1] - used[0]) / timedelta(minutes=settings.minutes)
        assert len(used) <= settings.attempts + came_back + 1e-6


def test_attempts_in_numbers():
    settings = HandIns(attempts=3, minutes=30)
    assert attempts([], START, settings).left == 3
    used = [START, START, START]
    after = attempts(used, START + timedelta(minutes=10), settings)
    assert (after.left, after.next_at) == (0, START + timedelta(minutes=30))
    after = attempts(used, START + timedelta(minutes=61), settings)
    assert (after.left, after.next_at) == (2, START + timedelta(minutes=90))
    assert attempts(used, START + timedelta(days=9), settings).next_at is None


@given(SETTINGS)
def test_a_clock_that_was_set_back_takes_no_attempt_and_gives_none(settings):
    used = [START + timedelta(days=365)]
    assert attempts(used, START, settings).left == settings.attempts - 1
    assert attempts([*used, START], START, settings).left == max(0, settings.attempts - 2)


@given(OUTCOMES, st.integers(0, 9), st.booleans())
def test_by_default_handing_in_again_never_lowers_a_mark(outcomes, score, on_time):
    before = counting(outcomes, HandIns())
    on_time &= all(outcome.on_time for outcome in outcomes)  # once it is late, it stays late
    after = counting([*outcomes, Outcome(len(outcomes), score, 0, on_time)], HandIns())
    if before is not None and on_time == before.on_time:
        assert after.score >= before.score
    elif before is not None:
        assert after == before  # a late one does not count beside one that was on time


@given(OUTCOMES)
def test_the_other_rules(outcomes):
    latest = counting(outcomes, HandIns(counts="latest"))
    assert (latest is None) if not outcomes else latest.number == len(outcomes) - 1
    last = counting(outcomes, HandIns(counts="last on time"))
    on_time = [outcome for outcome in outcomes if outcome.on_time]
    if on_time:
        assert last == on_time[-1]
    elif outcomes:
        assert last == outcomes[-1]


def test_of_equal_points_the_written_answers_decide():
    """A hand-in in which a written answer was deleted does not replace the one that has it."""
    full, without = Outcome(1, 5.0, 2, True), Outcome(2, 5.0, 1, True)
    assert counting([full, without], HandIns()) == full
    assert counting([full, Outcome(2, 5.0, 2, True)], HandIns()).number == 2
