"""Cells that were merged, split, moved, deleted or turned into another type."""

from damage.harness import copied, damaged, own_code, own_words


@damaged(repairs={"cells_parted", "answer_found_elsewhere", "helper_moved"})
def all_answers_at_the_end(submission):
    """All answers, and a helper that they share, in one new cell at the end; every released cell is untouched."""
    answers = {name: source for name, source in submission.answers.items() if name != "why_three"}
    answers["softmax"] = (
        "def softmax(x, axis=-1):\n    return share(np.exp(x - np.max(x, axis, keepdims=True)), axis)"
    )
    helper = "def share(e, axis):\n    return e / e.sum(axis, keepdims=True)"
    for name in answers:
        submission.cell(name)["source"] = submission.stub(name)
    submission.cells.append(own_code("\n\n\n".join([helper, *answers.values()])))


@damaged(
    lost=("why_three",),
    repairs={"cells_parted", "metadata_restored", "missing_answer", "test_edited", "test_restored"},
)
def all_in_one(submission):
    """All code cells merged into one to run it with a single click; the text is deleted."""
    code = [cell["source"] for cell in submission.cells if cell["cell_type"] == "code"]
    submission.notebook["cells"] = [own_code("\n\n".join(code))]


@damaged(lost=("softmax",), repairs={"cells_parted", "metadata_restored", "reordered"})
def all_in_one_with_a_mistake(submission):
    """All answers in one cell, one of which lacks a colon: Python reads none, a person reads the others."""
    answers = {name: source for name, source in submission.answers.items() if name != "why_three"}
    answers["softmax"] = answers["softmax"].replace("axis=-1):", "axis=-1)")
    for name in answers:
        del submission.cells[submission.place(name)]
    submission.cells.insert(3, own_code("\n\n\n".join(answers.values())))


@damaged(repairs={"reordered"})
def answer_above_setup(submission):
    """An answer dragged to the very top, above the imports, to have it at hand."""
    submission.cells.insert(0, submission.cells.pop(submission.place("attention")))


@damaged(repairs={"reordered", "helper_moved"})
def answer_at_the_end(submission):
    """An answer dragged to the end together with the cell of one's own that it needs."""
    cell = submission.cells.pop(submission.place("softmax"))
    cell["source"] = "@remember\n" + cell["source"]
    submission.cells.append(own_code("import functools\n\n\ndef remember(function):\n    return function"))
    submission.cells.append(cell)


@damaged(lost=("softmax",), repairs={"missing_answer"})
def answer_deleted(submission):
    """The cell of an answer deleted by a slip (D, D): the answer is nowhere."""
    del submission.cells[submission.place("softmax")]


@damaged(repairs={"cells_parted", "metadata_restored"})
def answer_merged_with_test(submission):
    """Shift+M on an answer and the test below it: one cell, with the answer's metadata."""
    for name in ("softmax", "padding_mask"):
        place = submission.place(name)
        test = submission.cells.pop(place + 1)
        submission.cells[place]["source"] += "\n\n" + test["source"]


@damaged(repairs={"functions_joined"})
def answer_split(submission):
    """An answer of two functions split between them in JupyterLab: both halves carry the same metadata."""
    cell = submission.cell("scaling")
    first, second = cell["source"].split("\n\n\ndef softmax_entropy")
    cell["source"] = first
    submission.cells.insert(submission.place("scaling") + 1, copied(cell, "def softmax_entropy" + second))


@damaged(
    lost=("why_three",), repairs={"metadata_restored", "cell_restored", "test_restored", "missing_answer"}
)
def answers_alone(submission):
    """Only the answers pasted into an empty notebook, as a mail asked for "your code"."""
    words = [own_words("My code:")]
    code = [own_code(text) for name, text in submission.answers.items() if name != "why_three"]
    submission.notebook["cells"] = words + code


@damaged(repairs={"cell_type_restored", "given_type_restored", "test_edited"})
def converted(submission):
    """Keys pressed in the wrong mode: answers became text (M), a test and the setup became raw (R)."""
    for name, kind in (
        ("softmax", "markdown"),
        ("causal_mask", "raw"),
        ("softmax_rows", "raw"),
        ("setup", "raw"),
        ("why_three", "raw"),
    ):
        cell = submission.cell(name)
        cell["cell_type"] = kind
        cell.pop("outputs", None), cell.pop("execution_count", None)


@damaged(repairs={"test_edited"})
def empty_cells(submission):
    """Enter pressed again and again: an empty cell between any two, and an empty test."""
    submission.cell("softmax_axis")["source"] = ""
    submission.notebook["cells"] = [
        item for number, cell in enumerate(submission.cells) for item in (cell, own_code("\n" * (number % 3)))
    ]


@damaged(week="week2_multi_head", repairs={"cell_type_restored", "metadata_restored"})
def fenced(submission):
    """An answer as text between fences, as it came out of a chat, in place of the cell and without its name."""
    place = submission.place("split_heads")
    submission.cells[place] = own_words(f"```python\n{submission.cells[place]['source']}\n```")


@damaged(repairs={"characters_restored"})
def fenced_in_code(submission):
    """An answer pasted into its cell with the fences of the chat that it came from."""
    cell = submission.cell("attention")
    cell["source"] = f"```python\n{cell['source']}\n```\n"


@damaged(week="week2_multi_head", repairs={"cell_restored"})
def given_deleted(submission):
    """The setup and every other given cell deleted after they had been run once."""
    submission.notebook["cells"] = [cell for cell in submission.cells if "nbgrader" in cell["metadata"]]


@damaged(repairs={"helper_moved"})
def helper_below(submission):
    """A helper and an import added at the bottom of the notebook, run before the answers that need them."""
    submission.cell("causal_mask")["source"] = (
        "def causal_mask(length):\n    return torch.tensor(list(rows(length))).bool()"
    )
    submission.cells.append(own_code("from itertools import chain, repeat"))
    source = "def rows(n):\n    for i in range(1, n + 1):\n        yield list(chain(repeat(1, i), repeat(0, n - i)))"
    submission.cells.append(own_code(source))


@damaged(repairs={"test_edited"})
def helper_in_a_test(submission):
    """A helper function and an import written on top of a test cell, because the cursor happened to be there."""
    cell = submission.cell("softmax_large")
    cell["source"] = (
        "from functools import reduce as fold\n\n\ndef lower(n):\n    return [[j <= i for j in range(n)] "
        "for i in range(n)]\n\n\n" + cell["source"]
    )
    submission.cell("causal_mask")["source"] = (
        "def causal_mask(length):\n    assert fold\n    return torch.tensor(lower(length))"
    )


@damaged(week="week5_tokenizer", repairs={"reordered"})
def reversed(submission):
    """Opened in a program that lists the newest cell first, and saved: the whole notebook upside down."""
    submission.cells.reverse()


@damaged(repairs={"cells_joined"})
def split_in_a_function(submission):
    """Ctrl+Shift+Minus pressed in the middle of a function: the second half begins with its indented lines."""
    cell = submission.cell("attention")
    lines = cell["source"].split("\n")
    middle = len(lines) - 3
    cell["source"] = "\n".join(lines[:middle])
    submission.cells.insert(submission.place("attention") + 1, copied(cell, "\n".join(lines[middle:])))


@damaged(week="week4_encoder", repairs={"cells_joined"})
def split_in_three(submission):
    """A class split in three on Colab, where the lower parts have no metadata: none of them is Python for itself."""
    cell, place = submission.cell("encoder_block"), submission.place("encoder_block")
    lines = cell["source"].split("\n")
    third = len(lines) // 3
    cell["source"] = "\n".join(lines[:third])
    rest = ["\n".join(lines[third : 2 * third]), "\n".join(lines[2 * third :])]
    submission.cells[place + 1 : place + 1] = [own_code(source) for source in rest]


@damaged(flags={"too_many_cells"})
def ten_thousand(submission):
    """A script that adds cells to a notebook ran in a loop: ten thousand cells, the week's own among them."""
    cells = []
    for number, cell in enumerate(submission.cells):
        cells.append(cell)
        cells += [own_code(f"attempt_{number} = {copy}\nprint(attempt_{number})") for copy in range(140)]
    submission.notebook["cells"] = cells


@damaged(week="week2_multi_head", repairs={"cells_parted", "metadata_restored"})
def test_merged_with_answer(submission):
    """Merged from below: one cell with the test's metadata, the answer on top of it."""
    place = submission.place("multi_head")
    answer = submission.cells.pop(place)
    submission.cells[place]["source"] = answer["source"] + "\n\n" + submission.cells[place]["source"]


@damaged(repairs={"duplicate_dropped", "test_edited"})
def test_split(submission):
    """A test split to see which line fails; the second half stayed as a cell of its own."""
    for name, metadata in (("softmax_rows", False), ("attention_mask", True)):
        cell, place = submission.cell(name), submission.place(name)
        first, second = cell["source"].rsplit("\ncheck_close", 1)
        cell["source"] = first
        second = "check_close" + second
        submission.cells.insert(place + 1, copied(cell, second) if metadata else own_code(second))


@damaged(repairs={"test_restored"})
def tests_deleted(submission):
    """All tests deleted, to hand in a tidy notebook."""
    graders = [(cell, cell["metadata"].get("nbgrader", {})) for cell in submission.cells]
    submission.notebook["cells"] = [
        cell for cell, item in graders if not item.get("grade") or item["solution"]
    ]


@damaged(repairs={"cells_parted", "metadata_restored", "reordered"})
def two_answers_in_one(submission):
    """Two answers in one cell, one of which does not pass its test in between; the other cell was deleted."""
    source = submission.cell("causal_mask")["source"] + "\nassert causal_mask(2).sum() == 4\n\n"
    submission.cell("causal_mask")["source"] = source + submission.cell("padding_mask")["source"]
    del submission.cells[submission.place("padding_mask")]
