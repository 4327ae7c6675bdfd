"""All answers, and a helper that they share, in one new cell at the end; every released cell is untouched."""

from damage.harness import own_code

REPAIRS = {"cells_parted", "answer_found_elsewhere", "helper_moved"}


def damage(submission):
    answers = {name: source for name, source in submission.answers.items() if name != "why_three"}
    answers["softmax"] = (
        "def softmax(x, axis=-1):\n    return share(np.exp(x - np.max(x, axis, keepdims=True)), axis)"
    )
    helper = "def share(e, axis):\n    return e / e.sum(axis, keepdims=True)"
    for name in answers:
        submission.cell(name)["source"] = submission.stub(name)
    submission.cells.append(own_code("\n\n\n".join([helper, *answers.values()])))
