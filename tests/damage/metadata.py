"""Cells whose names, ids or metadata are gone or wrong."""

from damage.harness import copied, damaged, token


@damaged(repairs={"metadata_restored"})
def names_changed(submission):
    """Grade ids renamed in the sidebar of JupyterLab, out of curiosity."""
    for name in ("softmax", "softmax_rows", "attention", "why_three"):
        submission.cell(name)["metadata"]["nbgrader"]["grade_id"] = f"my-{name}"


@damaged(repairs={"metadata_restored", "reordered"})
def names_exchanged(submission):
    """Two answers written into each other's cell, after both had been emptied: each carries the other's name."""
    one, other = submission.cell("softmax"), submission.cell("causal_mask")
    one["source"], other["source"] = other["source"], one["source"]


@damaged(repairs={"metadata_restored"})
def one_id_for_all(submission):
    """A faulty editor extension gave every cell the same id, after the metadata had been cleared."""
    for cell in submission.cells:
        cell["metadata"], cell["id"] = {}, "cell"


@damaged(week="week8_transformer", repairs={"metadata_restored"})
def pasted_into_new(submission):
    """All cells pasted into a fresh notebook: no metadata, other ids; nothing is left but the text."""
    for cell in submission.cells:
        cell["metadata"], cell["id"] = {}, token(cell["id"])


@damaged(repairs={"metadata_restored"})
def stripped(submission):
    """A clean-up tool took all metadata; cell ids are still there."""
    submission.notebook["metadata"] = {}
    for cell in submission.cells:
        cell["metadata"] = {}


@damaged(week="week4_encoder", repairs={"metadata_restored"})
def stripped_in_part(submission):
    """Some cells were cut and pasted between two programs, and those lost metadata and ids."""
    for number, cell in enumerate(submission.cells):
        if number % 2:
            cell["metadata"], cell["id"] = {}, token(cell["id"])


@damaged(repairs={"test_edited"})
def unlocked_tests(submission):
    """Tests unlocked in the sidebar, with a line added to look at a value; Colab does not enforce the lock at all."""
    for cell in submission.tests("softmax") + submission.tests("causal_mask"):
        cell["metadata"]["nbgrader"]["locked"] = False
        cell["source"] = cell["source"].replace("\n", '\nprint("here")\n', 1)


@damaged(repairs={"metadata_restored"})
def wrong_name(submission):
    """The cell of one answer was copied to write the next one in, and that one's own cell was deleted."""
    place = submission.place("causal_mask")
    submission.cells[place] = copied(submission.cell("softmax"), submission.cell("causal_mask")["source"])
