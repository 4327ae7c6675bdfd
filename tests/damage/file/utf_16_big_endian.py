"""UTF-16 the other way round and without a mark, as a database export wrote it."""


def damage(submission):
    submission.data = submission.text().encode("utf-16-be")
