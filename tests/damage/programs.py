"""Notebooks as other programs write them."""

import json

import nbformat

from damage.harness import damaged, own_code, saved_by_colab, token


@damaged()
def cells_alone(submission):
    """Copied out of a database: the bare list of cells, without the notebook around it."""
    submission.data = json.dumps(submission.cells).encode()


@damaged()
def colab_4_0(submission):
    """The cells copied into a new Colab notebook: format 4.0, no cell ids but Colab's in the metadata."""
    for number, cell in enumerate(submission.cells):
        cell["metadata"]["id"] = token(f"colab {number}")
        del cell["id"]
    submission.notebook["nbformat_minor"] = 0
    saved_by_colab(submission.notebook)


@damaged()
def colab_4_5(submission):
    """The week opened on Colab and saved there: format 4.5, ids copied, outputs, a badge without an id."""
    for cell in submission.cells:
        cell["metadata"]["id"] = cell["id"]
    submission.cell("softmax")["metadata"]["cellView"] = "form"
    saved_by_colab(submission.notebook)


@damaged(week="week2_multi_head", repairs={"metadata_restored"})
def colab_ids_alone(submission):
    """Saved by Colab, then cleaned by a script that keeps only what Colab itself wrote: its ids."""
    for cell in submission.cells:
        cell["metadata"] = {"id": cell.pop("id")}
    submission.notebook["nbformat_minor"] = 0
    saved_by_colab(submission.notebook)


@damaged()
def colab_message(submission):
    """Downloaded by a bookmarklet that saves what Colab answers when asked for the notebook: the notebook within."""
    submission.data = json.dumps({"ipynb": submission.notebook}).encode()


@damaged(repairs={"salvaged", "metadata_restored"}, flags={"damaged_file"})
def deep_metadata(submission):
    """A widget that saved its state around the last one each time: thousands of levels."""
    submission.notebook["metadata"]["widgets"] = "DEEP"
    submission.cell("softmax")["metadata"]["state"] = "DEEP"
    submission.cell("attention_mask")["outputs"] = "DEEP"
    submission.data = submission.text().replace('"DEEP"', '{"a": [' * 5000 + "]}" * 5000).encode()


@damaged(repairs={"format_upgraded", "metadata_restored"})
def format_2(submission):
    """Exported by an online viewer that still writes format 2: no metadata at all, code in `input`."""
    cells = []
    for cell in submission.cells:
        if cell["cell_type"] == "code":
            cells.append({"cell_type": "code", "language": "python", "input": cell["source"], "outputs": []})
        else:
            cells.append({"cell_type": "markdown", "source": cell["source"]})
    submission.notebook = {"metadata": {"name": "attention"}, "nbformat": 2, "worksheets": [{"cells": cells}]}


@damaged(week="week5_tokenizer", repairs={"format_upgraded"})
def format_3(submission):
    """Saved by a program from before 2015: notebook format 3, with worksheets."""
    submission.notebook = nbformat.convert(nbformat.from_dict(submission.notebook), 3)


@damaged()
def huge_outputs(submission):
    """A loop that printed for an hour and pictures in every cell: 50 MB of outputs."""
    code = [cell for cell in submission.cells if cell["cell_type"] == "code"]
    text, picture = "step 1000 of 1000000\n" * 20_000, "iVBORw0KGgo" * 60_000
    for cell in code:
        cell["outputs"] = [
            {"output_type": "stream", "name": "stdout", "text": [text]},
            {"output_type": "display_data", "metadata": {}, "data": {"image/png": picture}},
        ]
    code[-1]["outputs"] += [{"output_type": "stream", "name": "stdout", "text": [text]}] * 30


@damaged(repairs={"given_edited"})
def install_lines(submission):
    """Lines that Colab's assistant put in: `!pip install` in the setup cell, above an answer and in a new cell."""
    for name in ("setup", "softmax", "scaling"):
        cell = submission.cell(name)
        cell["source"] = "!pip install -q torchinfo\n%matplotlib inline\n" + cell["source"]
    submission.cells.insert(0, own_code("!pip install numpy\n"))


@damaged()
def keys_twice(submission):
    """Merged by a tool that keeps both sides' lines: keys stand twice, and as in every reader the last one counts."""
    text = submission.text()
    text = text.replace('"cell_type": "code",', '"cell_type": "raw",\n   "cell_type": "code",')
    text = text.replace('"source": ', '"source": "x = 1",\n   "source": ')
    submission.data = text.replace('"nbformat": 4', '"nbformat": 3,\n "nbformat": 4').encode()


@damaged()
def lines_without_ends(submission):
    """Saved by a script that split each source into lines and dropped their ends."""
    for cell in submission.cells:
        cell["source"] = cell["source"].splitlines()


@damaged()
def odd_fields(submission):
    """Written by a converter that knows the format by hearsay: nulls, counts as words, NaN, a wrong minor version."""
    for cell in submission.cells:
        if cell["cell_type"] == "code":
            cell |= {"execution_count": "12", "outputs": None}
        if not cell["metadata"]:
            cell["metadata"] = None
    submission.cells.insert(3, None)
    submission.notebook |= {"nbformat_minor": "x", "metadata": {"loss": float("nan"), "best": float("inf")}}
    submission.data = json.dumps(submission.notebook).encode()


@damaged()
def old_nbgrader(submission):
    """Begun with last years' release: nbgrader's metadata of versions 1 and 2, with checksums and without `task`."""
    for number, cell in enumerate(submission.cells):
        grader = cell["metadata"].get("nbgrader")
        if grader:
            del grader["task"]
            grader |= {"schema_version": 1 + number % 2, "checksum": "0a9f4cdb9d6f2b0a1e2f3a4b5c6d7e8f"}


@damaged(
    repairs={
        "cells_parted",
        "metadata_restored",
        "converted",
        "renamed_file",
        "test_edited",
        "test_restored",
    }
)
def python_file_of_colab(submission):
    """Only the .py was handed in: Colab's File, Download, Download .py, with text as strings and no sign of cells."""
    parts = ["# -*- coding: utf-8 -*-", '"""attention.ipynb\n\nAutomatically generated by Colab.\n"""']
    for cell in submission.cells:
        source = cell["source"]
        parts.append(f'"""{source}\n"""' if cell["cell_type"] == "markdown" else source)
    submission.data = "\n\n".join(parts).encode()
    submission.name = "attention.py"


@damaged(week="week5_tokenizer", repairs={"converted", "metadata_restored", "renamed_file"})
def python_file_of_jupyter(submission):
    """Only the .py was handed in: Jupyter's export as a script, text in comments, `In[ ]` above each cell."""
    parts = ["#!/usr/bin/env python\n# coding: utf-8"]
    for cell in submission.cells:
        if cell["cell_type"] == "code":
            parts.append(f"# In[ ]:\n\n\n{cell['source']}")
        else:
            parts.append("\n".join(f"# {line}" for line in cell["source"].splitlines()))
    submission.data = "\n\n\n".join(parts).encode()
    submission.name = "tokenizer (1).py"


@damaged(week="week4_encoder")
def vs_code(submission):
    """Saved by an older VS Code: format 4.2, no cell ids, its own language mark in each code cell."""
    for cell in submission.cells:
        del cell["id"]
        if cell["cell_type"] == "code":
            cell["metadata"]["vscode"] = {"languageId": "python"}
    submission.notebook["metadata"] = {
        "kernelspec": {"display_name": "Python 3.12.3 64-bit", "language": "python", "name": "python3"},
        "orig_nbformat": 4,
        "vscode": {
            "interpreter": {"hash": "31f2aee4e71d21fbe5cf8b01ff0e069b9275f58929596ceb00d14d90e3e16cd6"}
        },
    }
    submission.notebook["nbformat_minor"] = 2
