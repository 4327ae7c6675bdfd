"""Claims other points for the tests: a thousand, less than none, not a number, true, text, lists."""

SHOWS = {"status": "repaired", "repairs": {"points_restored"}, "flags": {"points_tampered"}}


def attack(submission):
    claims = [1000, -5, float("nan"), float("inf"), True, "26", None, [26], {"max": 26}, 1e308, 10**300, 0]
    for number, cell in enumerate(submission.tests()):
        cell["metadata"]["nbgrader"]["points"] = claims[number % len(claims)]
