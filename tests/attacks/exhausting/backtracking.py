"""Gives sources, outputs, names and messages on which a careless regular expression would work for years."""

EVIL = (
    "a" * 5_000
    + "\\x1b["
    + "0;" * 20_000
    + "\\x1b]" * 5_000
    + "0x"
    + "f" * 50_000
    + " " * 50_000
    + "(" * 5_000
    + "course-scratch-" * 2_000
)
CODE = f"""
print({EVIL!r})
def softmax(x, axis=-1):
    reached()
    raise ValueError({EVIL!r} * 3)
"""


def attack(submission):
    submission.answer("softmax", CODE)
    submission.add(f"# {EVIL}\n" * 3)
    submission.add("%" * 5000 + "\n" + "!" * 5000)
    submission.cells.insert(
        0, {"cell_type": "markdown", "metadata": {}, "source": "[" * 3000 + "](" * 3000 + "*_" * 9000}
    )
