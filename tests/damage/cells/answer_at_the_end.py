"""An answer dragged to the end together with the cell of one's own that it needs."""

from damage.harness import own_code

REPAIRS = {"reordered", "helper_moved"}


def damage(submission):
    cell = submission.cells.pop(submission.place("softmax"))
    cell["source"] = "@remember\n" + cell["source"]
    submission.cells.append(own_code("import functools\n\n\ndef remember(function):\n    return function"))
    submission.cells.append(cell)
