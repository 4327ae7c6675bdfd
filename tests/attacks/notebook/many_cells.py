"""Hands in thirty thousand cells, so that comparing each with each does not finish."""

SHOWS = {"status": "unreadable", "flags": {"unreadable"}}


def attack(submission):
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    submission.notebook["cells"] += [
        {**cell, "id": f"x{number}", "source": f"x = {number}"} for number in range(30_000)
    ]
