"""Answers that need no gradient run under inference_mode and no_grad."""


def habit(submission):
    submission["padding_mask"] = "@torch.inference_mode()\n" + submission["padding_mask"]
    submission["causal_mask"] = """
def causal_mask(length):
    with torch.no_grad(), torch.inference_mode():
        return torch.arange(length)[:, None] >= torch.arange(length)
"""
    submission.replace("scaling", "def ", "@torch.no_grad()\ndef ")
