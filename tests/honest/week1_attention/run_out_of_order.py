"""Cells were run out of order and several times: execution counts jump, old errors and outputs are kept."""

from nbformat.v4 import new_output


def habit(submission):
    cells = [cell for cell in submission.notebook["cells"] if cell["cell_type"] == "code"]
    for place, cell in enumerate(cells):
        cell["execution_count"] = 1000 - 7 * place
        cell["outputs"] = [
            new_output("stream", name="stderr", text=["old\n", "warning\n"]),
            new_output("error", ename="NameError", evalue="x", traceback=["x"]),
            new_output("execute_result", {"text/plain": "0"}, execution_count=3),
        ]
        cell["metadata"]["executionInfo"] = {"status": "error", "elapsed": 12, "user": {"displayName": "x"}}
