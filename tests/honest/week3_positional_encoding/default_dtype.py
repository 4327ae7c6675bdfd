"""Sets the default dtype to float64 globally before the tables are made."""


def habit(submission):
    submission.add("torch.set_default_dtype(torch.float64)")
