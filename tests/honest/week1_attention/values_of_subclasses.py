"""Returns tensors and arrays of subclasses: a class of its own, a Parameter, a masked array, a matrix."""


def habit(submission):
    submission["causal_mask"] = (
        'class Mask(torch.Tensor):\n    """A tensor that says that it is a mask."""\n\n\n'
        "def causal_mask(length):\n    return torch.ones(length, length).tril().bool().as_subclass(Mask)\n"
    )
    submission["padding_mask"] = (
        "def padding_mask(token_ids, pad_id):\n"
        "    return nn.Parameter((token_ids != pad_id)[:, None, :], requires_grad=False)\n"
    )
