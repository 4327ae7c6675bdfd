"""Deletes every test, and keeps their names alive on empty markdown cells."""

SHOWS = {"status": "repaired", "repairs": {"test_edited", "test_restored"}}


def attack(submission):
    for cell in submission.tests()[:-1]:
        if cell["cell_type"] == "code":
            cell.update(cell_type="markdown", source="")
            del cell["outputs"], cell["execution_count"]
    gone = submission.tests()[3:9]
    submission.notebook["cells"] = [cell for cell in submission.cells if cell not in gone]
