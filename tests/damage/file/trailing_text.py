"""A web form that added its own closing lines behind the file."""

REPAIRS = {"rest_dropped"}


def damage(submission):
    submission.data = submission.text().encode() + b"\r\n------WebKitFormBoundary7MA4YWxkTrZu0gW--\r\n"
