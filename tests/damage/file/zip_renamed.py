"""The zip that the browser had made of a folder, renamed because the LMS takes .ipynb only."""

import io
import zipfile

REPAIRS = {"unpacked"}


def damage(submission):
    with zipfile.ZipFile(file := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("__MACOSX/week 1/._attention.ipynb", b"\x00\x05\x16\x07")
        archive.writestr("week 1/attention.ipynb", submission.text())
    submission.data = file.getvalue()
