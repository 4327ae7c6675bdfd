"""Star imports that overwrite builtins and each other: math, torch, numpy (`float` is a torch dtype from then on)."""


def habit(submission):
    submission.add(
        "from math import *\nfrom numpy import *\nfrom torch import *\nfrom torch.nn.functional import *"
    )
    submission["softmax"] = (
        "from math import *\nfrom torch import *\nfrom numpy import *\n" + submission["softmax"]
    )
    submission["causal_mask"] = (
        "from torch import *\ndef causal_mask(length):\n    return tril(ones(length, length)) > 0"
    )
    submission.replace("attention", 'float("-inf")', "-math.inf")
