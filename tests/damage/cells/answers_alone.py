"""Only the answers pasted into an empty notebook, as a mail asked for "your code"."""

from damage.harness import own_code, own_words

REPAIRS = {"metadata_restored", "cell_restored", "test_restored", "missing_answer"}
LOST = ("why_three",)


def damage(submission):
    words = [own_words("My code:")]
    code = [own_code(text) for name, text in submission.answers.items() if name != "why_three"]
    submission.notebook["cells"] = words + code
