"""Hands in links to devices and to files without an end under the name of a notebook."""

from attacks.harness import Link


def attack(submission):
    submission.files["attention.ipynb"] = Link("/dev/zero")
    submission.files["a.ipynb"] = Link("/dev/stdin")
    submission.files["b.ipynb"] = Link("/proc/self/mem")
    submission.files["c/attention.ipynb/attention.ipynb/x"] = b"a folder of the notebook's name"


SHOWS = {"status": "unreadable", "repairs": {"renamed_file"}, "flags": {"unreadable"}}
