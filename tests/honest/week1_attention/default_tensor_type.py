"""Sets the default tensor type in the old way, inside an answer."""


def habit(submission):
    submission.answer(
        "causal_mask",
        "torch.set_default_tensor_type(torch.DoubleTensor)\n" + submission.source("causal_mask"),
    )
