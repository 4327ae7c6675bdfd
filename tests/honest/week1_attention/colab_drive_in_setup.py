"""Mounts Drive at the top of the setup cell and imports there what the answers need."""

MENDED = {"given_edited"}


def habit(submission):
    setup = submission.source("setup")
    submission.answer(
        "setup",
        "from google.colab import drive\ndrive.mount('/content/drive')\nfrom functools import reduce\n"
        + setup,
    )
    submission.answer(
        "padding_mask",
        """
def padding_mask(token_ids, pad_id):
    steps = [lambda ids: ids.eq(pad_id), torch.logical_not, lambda mask: mask[:, None, :]]
    return reduce(lambda value, step: step(value), steps, token_ids)
""",
    )
