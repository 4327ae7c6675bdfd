"""Nothing was saved: a file of no bytes."""

STATUS = "unreadable"


def damage(submission):
    submission.data = b""
