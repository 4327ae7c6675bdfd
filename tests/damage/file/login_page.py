"""The LMS asked for a login and the browser saved that page under the notebook's name."""

STATUS = "unreadable"


def damage(submission):
    submission.data = (
        b"<!DOCTYPE html>\n<html><head><title>Log in</title></head><body>def f(): pass</body></html>"
    )
