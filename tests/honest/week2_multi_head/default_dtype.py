"""Sets the default dtype to float64 globally, so that all layers made from then on are float64."""


def habit(submission):
    submission.add("torch.set_default_dtype(torch.float64)")
