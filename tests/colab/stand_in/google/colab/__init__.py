"""Stands for Colab's own package in a real kernel: what the course's notebooks call of it, and no more."""

from google.colab import _message, ai, files, userdata  # noqa: F401
