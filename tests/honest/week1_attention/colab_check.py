"""Asks whether it runs on Colab in the usual ways and goes its way."""


def habit(submission):
    submission.add(
        "import sys, importlib.util\n"
        "IN_COLAB = 'google.colab' in sys.modules or importlib.util.find_spec('google.colab') is not None\n"
        "try:\n    import google.colab\n    IN_COLAB = True\nexcept ImportError:\n    IN_COLAB = False\n"
        "if IN_COLAB:\n    from google.colab import drive\n    drive.mount('/content/drive')\n"
        "    data = '/content/drive/MyDrive/data.csv'\nelse:\n    data = 'data.csv'\n"
        "print(IN_COLAB, 'google.colab' in str(get_ipython()))"
    )
    submission["causal_mask"] = (
        "try:\n    from google.colab import ai\nexcept ImportError:\n    ai = None\n"
        + submission["causal_mask"]
    )
