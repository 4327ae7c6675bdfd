"""Hands in an archive whose members lead out of their folder, are links, and have names of thousands of letters."""

import io
import json
import stat
import zipfile

NAMES = (
    *("../../../evil.py", "/tmp/evil.py", "hw/../../evil.py", "C:\\evil.py", "hw//evil.py", "hw/./evil.py"),
    *("hw/" + "x" * 4000 + ".py", "hw/" + "d/" * 500 + "x.py", "hw/new\nline.py", "hw/\x1b[31m.py", ""),
)


def attack(submission):
    with zipfile.ZipFile(file := io.BytesIO(), "w") as archive:
        archive.writestr("hw/attention.ipynb", json.dumps(submission.notebook))
        for name in NAMES:
            archive.writestr(name or "\u202e.py", b"raise SystemExit")
        link = zipfile.ZipInfo("hw/secret.txt")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    submission.data = file.getvalue()


SHOWS = {"status": "repaired", "repairs": {"unpacked"}, "flags": {"file_left_out", "maybe_in_file"}}
