"""Answers that stand in another place than their cell."""

from damage.harness import damaged, own_code, own_words


@damaged(repairs={"answer_found_elsewhere"})
def commented_out(submission):
    """The first answer turned into comments, the second one written in a new cell after the tests."""
    cell = submission.cell("causal_mask")
    submission.cells.insert(submission.place("causal_mask") + 3, own_code(cell["source"]))
    cell["source"] = "\n".join(f"# {line}" for line in cell["source"].split("\n"))


@damaged(repairs={"answer_found_elsewhere"})
def half_elsewhere(submission):
    """Of a question with two functions the second one was written above its cell, where its stub still stands."""
    cell = submission.cell("scaling")
    first, second = cell["source"].split("\n\n\ndef softmax_entropy")
    stub = submission.stub("scaling").split("\n\n\ndef softmax_entropy")[1]
    submission.cells.insert(submission.place("scaling"), own_code("def softmax_entropy" + second))
    cell["source"] = first + "\n\n\ndef softmax_entropy" + stub


@damaged(repairs={"cells_parted", "answer_found_elsewhere"})
def in_a_given_cell(submission):
    """An answer appended to the setup cell, so that it is there whenever the notebook is started."""
    submission.cell("setup")["source"] += "\n\n\n" + submission.cell("softmax")["source"]
    submission.cell("softmax")["source"] = submission.stub("softmax")


@damaged(week="week4_encoder", repairs={"answer_found_elsewhere"})
def new_cell_at_the_end(submission):
    """The answers to two questions in two new cells at the very end, after all tests."""
    for name in ("feed_forward", "encoder_block"):
        cell = submission.cell(name)
        submission.cells.append(own_code(cell["source"]))
        cell["source"] = submission.stub(name)


@damaged(week="week8_transformer", repairs={"answer_found_elsewhere"})
def new_cell_before(submission):
    """The answer in a new cell above the released one, whose last line would now undo it."""
    cell = submission.cell("transformer")
    submission.cells.insert(submission.place("transformer"), own_code(cell["source"]))
    cell["source"] = submission.stub("transformer")


@damaged(repairs={"answer_found_elsewhere"})
def new_cell_after(submission):
    """The answer in a new cell below the released one, which stays as it was."""
    cell = submission.cell("softmax")
    submission.cells.insert(submission.place("softmax") + 1, own_code(cell["source"]))
    cell["source"] = submission.stub("softmax")


@damaged(lost=("softmax",), flags={"maybe_an_answer"})
def other_name(submission):
    """The function under a name of one's own in a new cell, and nothing that gives it the name asked for."""
    cell = submission.cell("softmax")
    renamed = cell["source"].replace("def softmax", "def softmax_v2")
    submission.cells.insert(submission.place("softmax") + 1, own_code(renamed))
    cell["source"] = submission.stub("softmax")


@damaged(repairs={"answer_found_elsewhere", "test_restored"})
def over_a_test(submission):
    """An answer pasted over the test below its cell, which stays empty."""
    submission.cell("padding_mask_values")["source"] = submission.cell("padding_mask")["source"]
    submission.cell("padding_mask")["source"] = submission.stub("padding_mask")


@damaged(repairs={"answer_found_elsewhere", "helper_moved"})
def renamed_helper(submission):
    """The function under a name of one's own in a new cell, and a line at the end that gives it the name asked for."""
    cell = submission.cell("softmax")
    submission.cells.append(own_code(cell["source"].replace("def softmax", "def my_softmax")))
    submission.cells.append(own_code("softmax = my_softmax"))
    cell["source"] = submission.stub("softmax")


@damaged(repairs={"answer_found_elsewhere"})
def words_in_a_new_cell(submission):
    """The written answer in a new text cell below the one that says YOUR ANSWER HERE."""
    cell = submission.cell("why_three")
    submission.cells.insert(submission.place("why_three") + 1, own_words(cell["source"]))
    cell["source"] = "YOUR ANSWER HERE"
