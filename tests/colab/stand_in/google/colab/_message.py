"""The browser's notebook, as it would answer: the file that COLAB_NOTEBOOK names."""

import json
import os


def blocking_request(name, request="", timeout_sec=5):
    assert name == "get_ipynb" and timeout_sec >= 30
    with open(os.environ["COLAB_NOTEBOOK"], encoding="utf-8") as file:
        return {"ipynb": json.load(file)}
