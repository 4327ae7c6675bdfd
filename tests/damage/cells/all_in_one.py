"""All code cells merged into one to run it with a single click; the text is deleted."""

from damage.harness import own_code

LOST = ("why_three",)
REPAIRS = {"cells_parted", "metadata_restored", "missing_answer", "test_edited", "test_restored"}


def damage(submission):
    code = [cell["source"] for cell in submission.cells if cell["cell_type"] == "code"]
    submission.notebook["cells"] = [own_code("\n\n".join(code))]
