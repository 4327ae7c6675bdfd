"""Next week's notebook, fully answered, handed in for this week."""

LOST = ("softmax", "attention", "causal_mask", "padding_mask", "scaling", "self_attention", "why_three")
REPAIRS = {"another_week"}
FLAGS = {"another_week"}


def damage(submission):
    submission.notebook = submission.other_week("week2_multi_head").notebook
