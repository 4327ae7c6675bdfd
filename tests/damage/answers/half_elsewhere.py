"""Of a question with two functions the second one was written above its cell, where its stub still stands."""

from damage.harness import own_code

REPAIRS = {"answer_found_elsewhere"}


def damage(submission):
    cell = submission.cell("scaling")
    first, second = cell["source"].split("\n\n\ndef softmax_entropy")
    stub = submission.stub("scaling").split("\n\n\ndef softmax_entropy")[1]
    submission.cells.insert(submission.place("scaling"), own_code("def softmax_entropy" + second))
    cell["source"] = first + "\n\n\ndef softmax_entropy" + stub
