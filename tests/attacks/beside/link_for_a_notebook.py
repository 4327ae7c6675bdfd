"""Hands in a link instead of the notebook, to the instructor's own, which has all the answers."""

from attacks.harness import Link

FILES = {"attention.ipynb": Link("../../../source/week1_attention/attention.ipynb")}
SHOWS = {"status": "unreadable", "flags": {"unreadable"}}
