"""Hostile submissions, one per file, in folders by what they go for; `harness.py` runs them all as one class."""
