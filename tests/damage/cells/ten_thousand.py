"""A script that adds cells to a notebook ran in a loop: ten thousand cells, the week's own among them."""

from damage.harness import own_code

FLAGS = {"too_many_cells"}


def damage(submission):
    cells = []
    for number, cell in enumerate(submission.cells):
        cells.append(cell)
        cells += [own_code(f"attempt_{number} = {copy}\nprint(attempt_{number})") for copy in range(140)]
    submission.notebook["cells"] = cells
