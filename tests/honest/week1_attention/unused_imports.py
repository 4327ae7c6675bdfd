"""Imports at the top of answers that are never used, of packages that Colab has."""


def habit(submission):
    submission["softmax"] = "from scipy.special import logsumexp\n" + submission["softmax"].lstrip()
    submission["causal_mask"] = (
        "import torchvision\nimport transformers\n" + submission["causal_mask"].lstrip()
    )
    submission["padding_mask"] = "from jaxtyping import Float\n" + submission["padding_mask"].lstrip()
