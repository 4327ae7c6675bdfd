"""Answers that need no gradient run under inference_mode and no_grad."""


def habit(submission):
    submission.answer("padding_mask", "@torch.inference_mode()\n" + submission.source("padding_mask"))
    submission.answer(
        "causal_mask",
        """
def causal_mask(length):
    with torch.no_grad(), torch.inference_mode():
        return torch.arange(length)[:, None] >= torch.arange(length)
""",
    )
    code = submission.source("scaling").replace("def ", "@torch.no_grad()\ndef ")
    submission.answer("scaling", code)
