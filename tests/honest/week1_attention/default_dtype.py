"""Sets torch's default dtype to float64 for the whole notebook."""


def habit(submission):
    submission.add("torch.set_default_dtype(torch.float64)\nprint(torch.get_default_dtype())")
