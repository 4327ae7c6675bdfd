"""Hands the notebook in under a name of script, beside names of escapes, line ends and formulas."""

import json

NAMES = (
    "<img src=x onerror=window.attacked='name'>.ipynb",
    "\x1b[31m\x1b]0;owned\x07\u202egpj.ipynb",
    '=HYPERLINK("http:attacker.example").ipynb',
    "a\r\nscore: 30\n.ipynb",
    "'; alert(1); '.ipynb",
)


def attack(submission):
    data = json.dumps(submission.notebook).encode()
    submission.files = dict.fromkeys(NAMES, data)
    submission.data = b""
    submission.files["attention.ipynb"] = b""
    submission.files["deep/attention.ipynb"] = data


SHOWS = {"status": "repaired", "repairs": {"renamed_file"}}
