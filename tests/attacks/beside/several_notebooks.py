"""Hands in other notebooks where a grader may take them for the attacker's: checkpoints, folders, other endings."""

NAMES = """
.ipynb_checkpoints/attention-checkpoint.ipynb
attention (1).ipynb
Attention.ipynb
attention.ipynb.bak
autograded/attention.ipynb
week1_attention/attention.ipynb
-rf.ipynb
--force.ipynb
$(touch x).ipynb
"""
FILES = dict.fromkeys(
    NAMES.strip().split("\n"), b'{"cells": [], "metadata": {}, "nbformat": 4, "nbformat_minor": 5}'
)
SHOWS = {"status": "graded", "flags": {"several_notebooks"}}
