"""Through a version control that turned every line end into Windows's, also inside the sources."""


def damage(submission):
    for cell in submission.cells:
        cell["source"] = cell["source"].replace("\n", "\r\n")
    submission.data = submission.text().replace("\n", "\r\n").encode()
