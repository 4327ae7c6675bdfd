"""The answers to two questions in two new cells at the very end, behind all tests."""

from damage.harness import own_code

WEEK = "week4_encoder"
REPAIRS = {"answer_found_elsewhere"}


def damage(submission):
    for name in ("feed_forward", "encoder_block"):
        cell = submission.cell(name)
        submission.cells.append(own_code(cell["source"]))
        cell["source"] = submission.stub(name)
