"""The setup's short names used for other things: F, np, plt, sns, math and torch's name for a moment."""


def habit(submission):
    submission["softmax"] = """
import numpy, numpy as n
def softmax(x, axis=-1):
    powers = n.exp(x - x.max(axis=axis, keepdims=True))
    return powers / numpy.sum(powers, axis=axis, keepdims=True)
np = 5
"""
    submission.add("import numpy as np", after="softmax_hidden_input")
    submission["attention"] += "\nF = 64; plt = None; sys = 'x'; sns = 1"
    submission.add(
        "import torch.nn.functional as F\nimport matplotlib.pyplot as plt, seaborn as sns, sys",
        before="causal_mask",
    )
