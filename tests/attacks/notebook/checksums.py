"""Carries checksums, a schema version and a signature that say that nothing was changed."""

import hashlib


def attack(submission):
    for cell in submission.tests():
        cell["source"] = "pass"
        digest = hashlib.md5(b"pass").hexdigest()
        cell["metadata"]["nbgrader"].update(
            checksum=digest, cell_type="code", schema_version=3, locked=True, remove=True
        )
    submission.notebook["metadata"]["signature"] = "sha256:" + "0" * 64
    submission.notebook["metadata"]["trusted"] = True


SHOWS = {"status": "repaired", "repairs": {"test_edited"}}
