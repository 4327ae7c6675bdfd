"""Hands in a link instead of the week's folder: to the folder where the instructor's notebook lies."""

from attacks.harness import Link

FILES = {".": Link("../../source/week1_attention")}
SHOWS = {"status": "unreadable", "flags": {"unreadable"}}
