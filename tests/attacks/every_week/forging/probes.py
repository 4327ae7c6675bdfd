"""Answers every probe with the right implementations, which it has in a text, while the answers stay stubs."""

from attacks.content import forge as attack  # noqa: F401

AT_MOST = "probes"
