"""Cell magics as the first line of answers: %%time and %%capture."""


def habit(submission):
    submission.answer("softmax", "%%time\n" + submission.source("softmax"))
    submission.answer("attention", "%%capture output\nprint('captured')\n" + submission.source("attention"))
    submission.answer("causal_mask", "%%time\n\n" + submission.source("causal_mask"))
    submission.answer("padding_mask", "# my answer\n\n%time\n" + submission.source("padding_mask"))
