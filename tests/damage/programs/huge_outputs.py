"""A loop that printed for an hour and pictures in every cell: 50 MB of outputs."""


def damage(submission):
    code = [cell for cell in submission.cells if cell["cell_type"] == "code"]
    text, picture = "step 1000 of 1000000\n" * 20_000, "iVBORw0KGgo" * 60_000
    for cell in code:
        cell["outputs"] = [
            {"output_type": "stream", "name": "stdout", "text": [text]},
            {"output_type": "display_data", "metadata": {}, "data": {"image/png": picture}},
        ]
    while len(submission.text()) < 50 << 20:
        code[-1]["outputs"].append({"output_type": "stream", "name": "stdout", "text": [text * 10]})
