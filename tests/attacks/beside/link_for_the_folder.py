"""Hands in a link instead of the week's folder, to the folder of the instructor's notebook, which lies there under the right name."""

from attacks.harness import Link


def attack(submission):
    submission.files["."] = Link("../../source/week1_attention")


SHOWS = {"status": "unreadable", "repairs": set(), "flags": {"unreadable"}}
