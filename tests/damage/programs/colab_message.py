"""Downloaded by a bookmarklet that saves what Colab answers when asked for the notebook: the notebook within."""

import json


def damage(submission):
    submission.data = json.dumps({"ipynb": submission.notebook}).encode()
