"""Grade ids renamed in the sidebar of JupyterLab, out of curiosity."""

REPAIRS = {"metadata_restored"}


def damage(submission):
    for name in ("softmax", "softmax_rows", "attention", "why_three"):
        submission.cell(name)["metadata"]["nbgrader"]["grade_id"] = f"my-{name}"
