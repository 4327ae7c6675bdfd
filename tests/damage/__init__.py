"""Broken but honest notebooks, one a file, in folders by where they break; `harness.py` grades them as one class."""
