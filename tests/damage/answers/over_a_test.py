"""An answer pasted over the test below its cell, which stays empty."""

REPAIRS = {"answer_found_elsewhere", "test_restored"}


def damage(submission):
    submission.cell("padding_mask_values")["source"] = submission.cell("padding_mask")["source"]
    submission.cell("padding_mask")["source"] = submission.stub("padding_mask")
