"""Only the .py was handed in: Jupyter's export as an executable script, text in comments, `In[ ]` above each cell."""

WEEK = "week5_tokenizer"
REPAIRS = {"read_from_script", "metadata_restored", "renamed_file"}


def damage(submission):
    parts = ["#!/usr/bin/env python\n# coding: utf-8"]
    for cell in submission.cells:
        if cell["cell_type"] == "code":
            parts.append(f"# In[ ]:\n\n\n{cell['source']}")
        else:
            parts.append("\n".join(f"# {line}" for line in cell["source"].splitlines()))
    submission.data = "\n\n\n".join(parts).encode()
    submission.name = "tokenizer (1).py"
