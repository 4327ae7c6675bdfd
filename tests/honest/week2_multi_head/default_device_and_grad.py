"""Sets a default device, switches gradients off globally and the random seed in the constructor."""


def habit(submission):
    submission.add("torch.set_default_device('cpu')\ntorch.set_grad_enabled(False)")
    submission.replace("multi_head", "self.W_Q =", "torch.manual_seed(0); self.W_Q =")
