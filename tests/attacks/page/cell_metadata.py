"""Puts script where pages write names: cell ids, tags, languages, attachments, output metadata, kernel."""

from nbformat.v4 import new_output

SHOWS = {"status": "graded", "flags": {"picture_not_shown", "test_tampered"}}

EVIL = "\"'><script>window.attacked='metadata'</script><img src=x onerror=window.attacked='metadata'>"


def attack(submission):
    submission.notebook["metadata"] = {
        "kernelspec": {"name": EVIL, "display_name": EVIL, "language": EVIL},
        "language_info": dict.fromkeys(
            ("name", "pygments_lexer", "mimetype", "codemirror_mode", "file_extension"), EVIL
        ),
        "widgets": {"application/vnd.jupyter.widget-state+json": {"state": {EVIL: {}}}},
    }
    for number, cell in enumerate(submission.cells):
        cell["id"] = f"{EVIL}{number}"
        cell["metadata"] |= {
            "tags": [EVIL],
            "name": EVIL,
            "slideshow": {"slide_type": EVIL},
            "colab": {"id": EVIL},
        }
        cell["attachments"] = {EVIL: {"image/svg+xml": f"<svg onload=alert(1)>{EVIL}"}}
        if cell["cell_type"] == "code":
            cell["execution_count"] = EVIL
            cell["outputs"] = [
                new_output("display_data", {"text/html": EVIL}, metadata={EVIL: {"width": EVIL}})
            ]
