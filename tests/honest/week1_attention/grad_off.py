"""Switches gradients off for the whole notebook, since nothing is trained in it."""


def habit(submission):
    submission.add("torch.set_grad_enabled(False)")
