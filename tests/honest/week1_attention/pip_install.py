"""Installs what is there and what is not, as notebooks written on Colab begin: `!pip`, `%pip`, `!apt`."""


def habit(submission):
    submission.add("!pip install torch numpy matplotlib")
    submission.add("!pip install -q einops transformers\n%pip install jaxtyping")
    submission.add(
        "!pip3 install --upgrade torch-geometric\n!apt-get install -y graphviz\n!git clone https://x.invalid/y"
    )
    submission["softmax"] = "!pip install --quiet scipy\n" + submission["softmax"]
    submission["attention"] = "%pip install -U opt_einsum\n" + submission["attention"]
    submission["scaling"] = "!python -m pip install torchinfo\n" + submission["scaling"]
