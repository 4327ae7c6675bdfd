"""Sets the default tensor type in the old way, inside an answer."""


def habit(submission):
    submission["causal_mask"] = (
        "torch.set_default_tensor_type(torch.DoubleTensor)\n" + submission["causal_mask"]
    )
