"""Answers with programs that take a parser's time and memory: a list of hundreds of thousands, the longest sum, the deepest call, a comparison without end."""

SHOWS = {"status": "graded", "repairs": set(), "flags": set(), "stops": {"timed_out"}}


def attack(submission):
    submission.answer("softmax", "x = [" + "1," * 400_000 + "]")
    submission.answer("attention", "1" + "<1" * 60_000)
    submission.answer("causal_mask", "f" + "()" * 60_000)
    submission.answer("padding_mask", "-" * 200_000 + "1")
    submission.answer("scaling", "(" * 200_000 + "lambda:" * 50_000)
