"""Mounts Drive at the top of the setup cell and imports there what the answers need."""

REPAIRS = {"given_edited"}


def habit(submission):
    mount = "from google.colab import drive\ndrive.mount('/content/drive')\nfrom functools import reduce\n"
    submission["setup"] = mount + submission["setup"]
    submission["padding_mask"] = """
def padding_mask(token_ids, pad_id):
    steps = [lambda ids: ids.eq(pad_id), torch.logical_not, lambda mask: mask[:, None, :]]
    return reduce(lambda value, step: step(value), steps, token_ids)
"""
