"""A test split to see which line fails; the second half stayed behind as a cell of its own."""

from damage.harness import copied, own_code

REPAIRS = {"duplicate_dropped", "test_edited"}


def damage(submission):
    for name, metadata in (("softmax_rows", False), ("attention_mask", True)):
        cell, place = submission.cell(name), submission.place(name)
        first, second = cell["source"].rsplit("\ncheck_close", 1)
        cell["source"] = first
        second = "check_close" + second
        submission.cells.insert(place + 1, copied(cell, second) if metadata else own_code(second))
