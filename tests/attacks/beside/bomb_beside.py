"""Hands in an archive with a bomb of a gigabyte beside the notebook, which would be unpacked into each kernel."""

import io
import json
import zipfile


def attack(submission):
    with zipfile.ZipFile(file := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("attention.ipynb", json.dumps(submission.notebook))
        with archive.open("bomb.csv", "w", force_zip64=True) as member:
            for _ in range(1 << 10):
                member.write(bytes(1 << 20))
    submission.data = file.getvalue()


SHOWS = {"status": "repaired", "repairs": {"unpacked"}, "flags": {"file_left_out"}}
