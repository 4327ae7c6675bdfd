"""The settings of an editor, JSON as well, picked from the wrong folder."""

STATUS = "unreadable"


def damage(submission):
    submission.data = b'{"editor.fontSize": 14, "cells": null, "files.autoSave": "off"}'
