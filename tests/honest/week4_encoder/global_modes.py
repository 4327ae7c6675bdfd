"""Global modes for the whole notebook: float64, no gradients, numpy errors that raise, warnings as errors."""


def habit(submission):
    submission.add(
        "import warnings\nwarnings.filterwarnings('error')\ntorch.set_default_dtype(torch.float64)\n"
        "torch.set_grad_enabled(False)\nnp.seterr(all='raise')\ntorch.autograd.set_detect_anomaly(True)"
    )
