"""Writes a long answer with formulas, pictures and HTML in the markdown cell; adds headings and notes everywhere."""

PNG = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=="


def habit(submission):
    text = "# Answer\n\n$\\sqrt{d_k}$ <b>because</b> <img src='x'>\n\n![picture](attachment:a.png)\n" * 50
    name = next(
        cell["metadata"]["nbgrader"]["grade_id"]
        for cell in submission.notebook["cells"]
        if cell["cell_type"] == "markdown" and "nbgrader" in cell["metadata"]
    )
    submission[name] = text
    submission.cell(name)["attachments"] = {"a.png": {"image/png": PNG}}
    for place in ("softmax", "softmax_rows", "attention", "scaling"):
        submission.add("## Notes\n- remember the axis", after=place, kind="markdown")
        submission.add("", after=place)
        submission.add("raw text", after=place, kind="raw")
