"""Saved by an older VS Code: format 4.2, no cell ids, its own language mark in each code cell."""

WEEK = "week4_encoder"


def damage(submission):
    for cell in submission.cells:
        del cell["id"]
        if cell["cell_type"] == "code":
            cell["metadata"]["vscode"] = {"languageId": "python"}
    submission.notebook["metadata"] = {
        "kernelspec": {"display_name": "Python 3.12.3 64-bit", "language": "python", "name": "python3"},
        "orig_nbformat": 4,
        "vscode": {
            "interpreter": {"hash": "31f2aee4e71d21fbe5cf8b01ff0e069b9275f58929596ceb00d14d90e3e16cd6"}
        },
    }
    submission.notebook["nbformat_minor"] = 2
