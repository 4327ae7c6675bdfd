"""Mounts Drive and asks for a secret at the top of an answer cell."""


def habit(submission):
    submission["softmax"] = (
        "from google.colab import drive, userdata\ndrive.mount('/content/drive')\n" + submission["softmax"]
    )
