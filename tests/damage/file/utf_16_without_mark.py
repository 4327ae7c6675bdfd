"""UTF-16 whose byte order mark was cut off by a script that took it for garbage."""


def damage(submission):
    submission.data = submission.text().encode("utf-16-le")
