"""Cells were run out of order and several times: execution counts jump, old errors and outputs are kept."""


def habit(submission):
    cells = [cell for cell in submission.notebook["cells"] if cell["cell_type"] == "code"]
    for place, cell in enumerate(cells):
        cell["execution_count"] = 1000 - 7 * place
        cell["outputs"] = [
            {"output_type": "stream", "name": "stderr", "text": ["old\n", "warning\n"]},
            {"output_type": "error", "ename": "NameError", "evalue": "x", "traceback": ["x"]},
            {
                "output_type": "execute_result",
                "execution_count": 3,
                "data": {"text/plain": "0"},
                "metadata": {},
            },
        ]
        cell["metadata"]["executionInfo"] = {"status": "error", "elapsed": 12, "user": {"displayName": "x"}}
