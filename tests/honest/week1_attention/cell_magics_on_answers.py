"""Cell magics as the first line of answers: %%time and %%capture."""


def habit(submission):
    submission["softmax"] = "%%time\n" + submission["softmax"]
    submission["attention"] = "%%capture output\nprint('captured')\n" + submission["attention"]
    submission["causal_mask"] = "%%time\n\n" + submission["causal_mask"]
    submission["padding_mask"] = "# my answer\n\n%time\n" + submission["padding_mask"]
