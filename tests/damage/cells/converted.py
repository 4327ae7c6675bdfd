"""Keys pressed in the wrong mode: answers became text (M), a test and the setup became raw (R)."""

REPAIRS = {"cell_type_restored", "given_type_restored", "test_edited"}


def damage(submission):
    for name, kind in (
        ("softmax", "markdown"),
        ("causal_mask", "raw"),
        ("softmax_rows", "raw"),
        ("setup", "raw"),
        ("why_three", "raw"),
    ):
        cell = submission.cell(name)
        cell["cell_type"] = kind
        cell.pop("outputs", None), cell.pop("execution_count", None)
