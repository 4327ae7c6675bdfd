"""Asks whether it runs on Colab in the usual ways and goes its way."""


def habit(submission):
    submission.add(
        "import sys\n"
        "IN_COLAB = 'google.colab' in sys.modules\n"
        "try:\n    import google.colab\n    IN_COLAB = True\nexcept ImportError:\n    IN_COLAB = False\n"
        "if IN_COLAB:\n    from google.colab import drive\n    drive.mount('/content/drive')\n"
        "print(IN_COLAB, 'google.colab' in str(get_ipython()))"
    )
