"""Hands in the reference's notebook too, in places where a grader may take it for the attacker's: checkpoints, folders, other endings."""

SHOWS = {"status": "graded", "repairs": set(), "flags": {"several_notebooks"}}


def attack(submission):
    data = b'{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'
    for name in (
        ".ipynb_checkpoints/attention-checkpoint.ipynb",
        "attention (1).ipynb",
        "Attention.ipynb",
        "attention.ipynb.bak",
        "autograded/attention.ipynb",
        "week1_attention/attention.ipynb",
        "-rf.ipynb",
        "--force.ipynb",
        "$(touch x).ipynb",
    ):
        submission.files[name] = data
