"""The folder handed in as a zip, with the notebook and Jupyter's checkpoint of it inside."""

import io
import zipfile

REPAIRS = {"renamed_file", "unpacked"}


def damage(submission):
    with zipfile.ZipFile(file := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "hw/.ipynb_checkpoints/attention-checkpoint.ipynb", submission.text(submission.empty())
        )
        archive.writestr("hw/attention.ipynb", submission.text())
        archive.writestr("hw/notes.txt", "to do")
    submission.data, submission.name = file.getvalue(), "hw.zip"
