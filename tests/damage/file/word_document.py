"""The code pasted into a word processor, and that file renamed."""

import io
import zipfile

STATUS = "unreadable"


def damage(submission):
    with zipfile.ZipFile(file := io.BytesIO(), "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", "<document>def softmax(x): return x</document>")
    submission.data = file.getvalue()
