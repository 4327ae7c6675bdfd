"""An upload that broke off in the last test: every answer in code was already there."""

LOST = ("why_three",)
REPAIRS = {"salvaged", "test_restored", "missing_answer"}
FLAGS = {"damaged_file"}


def damage(submission):
    text = submission.text()
    submission.data = text[: text.index("self_attention_hidden_gradient") - 20].encode()
