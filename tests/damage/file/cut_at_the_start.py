"""Ten bytes of a notebook: the upload ended before it began."""

STATUS = "unreadable"


def damage(submission):
    submission.data = submission.text().encode()[:10]
