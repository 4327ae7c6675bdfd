"""Edited in a Windows editor that puts a byte order mark in front."""


def damage(submission):
    submission.data = submission.text().encode("utf-8-sig")
