"""Broken but honest notebooks, one per file, in folders by where they break; `harness.py` grades them as one class."""
