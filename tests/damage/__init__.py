"""Broken but honest notebooks, in modules by where they break; `harness.py` grades them as one class."""
