"""A file of zeros and blanks, as a crash leaves it."""

STATUS = "unreadable"


def damage(submission):
    submission.data = b"\x00" * 4096 + b" \r\n\t"
