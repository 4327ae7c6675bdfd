"""Is handed in under a name of script, as a learning platform may make the folder from what a student calls
himself."""

REFUSED = True


def attack(submission):
    submission.student = "<img src=x onerror=window.attacked='id'>"
