"""Cut off in the outputs of a cell that Colab writes behind its source: the answer itself is whole."""

LOST = ("causal_mask", "padding_mask", "scaling", "self_attention", "why_three")
REPAIRS = {"salvaged", "test_restored", "missing_answer"}
FLAGS = {"damaged_file"}


def damage(submission):
    cell = submission.cell("attention")
    cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": ["one line\n"] * 50}]
    keys = ("cell_type", "source", "metadata", "id", "execution_count", "outputs")
    submission.cells[submission.place("attention")] = {key: cell[key] for key in keys}
    text = submission.text()
    submission.data = text[: text.index("one line") + 150].encode()
