"""Is a JSON file nested a hundred thousand deep, inside cells that look like a notebook's."""

SHOWS = {"status": "unreadable", "flags": {"unreadable"}}


def attack(submission):
    deep = b"[" * 100_000 + b"]" * 100_000
    submission.data = (
        b'{"nbformat": 4, "nbformat_minor": 5, "metadata": {}, "cells": [{"cell_type": "code", "source": '
        + deep
        + b"}]}"
    )
