"""Enters torch.no_grad and inference_mode by hand and never leaves them."""


def habit(submission):
    submission.add("guard = torch.no_grad()\nguard.__enter__()")
    submission["softmax"] += "\ntorch.inference_mode().__enter__()"
