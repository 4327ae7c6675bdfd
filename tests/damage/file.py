"""Files that are cut off, encoded in another way, packed, joined or no notebook at all."""

import gzip
import io
import json
import zipfile

from damage.harness import damaged


@damaged(status="unreadable")
def blank(submission):
    """A file of zeros and blanks, as a crash leaves it."""
    submission.data = b"\x00" * 4096 + b" \r\n\t"


@damaged()
def byte_order_mark(submission):
    """Edited in a Windows editor that puts a byte order mark in front."""
    submission.data = submission.text().encode("utf-8-sig")


@damaged(status="unreadable")
def cut_at_the_start(submission):
    """Ten bytes of a notebook: the upload ended before it began."""
    submission.data = submission.text().encode()[:10]


@damaged(
    lost=("causal_mask", "padding_mask", "scaling", "self_attention", "why_three"),
    repairs={"salvaged", "test_restored", "missing_answer"},
    flags={"damaged_file"},
)
def cut_after_an_answer(submission):
    """Cut off in the outputs of a cell that Colab writes after its source: the answer itself is whole."""
    cell = submission.cell("attention")
    cell["outputs"] = [{"output_type": "stream", "name": "stdout", "text": ["one line\n"] * 50}]
    keys = ("cell_type", "source", "metadata", "id", "execution_count", "outputs")
    submission.cells[submission.place("attention")] = {key: cell[key] for key in keys}
    text = submission.text()
    submission.data = text[: text.index("one line") + 150].encode()


@damaged(
    week="week2_multi_head",
    lost=("multi_head", "cost", "distance", "caption"),
    repairs={"salvaged", "test_restored", "missing_answer"},
    flags={"damaged_file"},
)
def cut_in_an_answer(submission):
    """A connection lost while saving: the file ends in the middle of an answer, which nobody can complete."""
    text = submission.text()
    submission.data = text[: text.index("class MultiHeadAttention") + 300].encode()


@damaged(
    lost=("padding_mask", "scaling", "self_attention", "why_three"),
    repairs={"salvaged", "test_restored", "missing_answer"},
    flags={"damaged_file"},
)
def cut_in_the_middle(submission):
    """A disk that was full: the file ends in the middle, inside a test. What stands before it is whole."""
    text = submission.text()
    submission.data = text[: text.index('"# @title Test', text.index('"causal_mask_type"')) + 60].encode()


@damaged(status="unreadable")
def empty(submission):
    """Nothing was saved: a file of no bytes."""
    submission.data = b""


@damaged(repairs={"unpacked"})
def gzipped(submission):
    """Compressed by a server and never unpacked."""
    submission.data = gzip.compress(submission.text().encode())


@damaged(lost=("causal_mask",), repairs={"salvaged", "test_restored"}, flags={"damaged_file"})
def hole(submission):
    """A few kilobytes lost in the middle of the file: one cell is broken, those before and after it are whole."""
    text = submission.text()
    start = text.index("def causal_mask") + 20
    submission.data = (text[:start] + text[text.index('"causal_mask_type"') :]).encode()


@damaged(repairs={"encoding_restored"})
def latin_1(submission):
    """Opened and saved as Latin-1 by a mail program; names and comments are not all English."""
    code = "def softmax(x, axis=-1):  # für jede Zeile\n    größen = np.exp(x - np.max(x, axis, keepdims=True))\n"
    submission.cell("softmax")["source"] = code + "    return größen / größen.sum(axis, keepdims=True)\n"
    submission.data = submission.text().encode("latin-1", "replace")


@damaged(status="unreadable")
def login_page(submission):
    """The LMS asked for a login and the browser saved that page under the notebook's name."""
    submission.data = (
        b"<!DOCTYPE html>\n<html><head><title>Log in</title></head><body>def f(): pass</body></html>"
    )


@damaged(repairs={"conflict_resolved"}, flags={"merge_conflict"})
def merge_conflict(submission):
    """A git merge that was committed with its marks: both sides of an answer, of a count and of an output."""
    mine = json.dumps(submission.cell("softmax")["source"])
    stub = json.dumps(submission.stub("softmax"))
    text = submission.text()
    head, tail = text.split(f'   "source": {mine}\n', 1)
    conflict = f'<<<<<<< HEAD\n   "source": {stub}\n=======\n   "source": {mine}\n>>>>>>> week1\n'
    more = '<<<<<<< HEAD\n "nbformat_minor": 5\n=======\n "nbformat_minor": 4\n>>>>>>> week1\n'
    submission.data = (head + conflict + tail.replace(' "nbformat_minor": 5\n', more)).encode()


@damaged(status="unreadable")
def other_json(submission):
    """The settings of an editor, JSON as well, picked from the wrong folder."""
    submission.data = b'{"editor.fontSize": 14, "cells": null, "files.autoSave": "off"}'


@damaged(
    lost=("softmax", "attention", "causal_mask", "padding_mask", "scaling", "self_attention", "why_three"),
    repairs={"another_week"},
    flags={"another_week"},
)
def other_week(submission):
    """Next week's notebook, fully answered, handed in for this week."""
    submission.notebook = submission.other_week("week2_multi_head").notebook


@damaged(repairs={"rest_dropped"})
def trailing_text(submission):
    """A web form that added its own closing lines after the file."""
    submission.data = submission.text().encode() + b"\r\n------WebKitFormBoundary7MA4YWxkTrZu0gW--\r\n"


@damaged(repairs={"concatenated"}, flags={"concatenated_file", "several_in_file"})
def two_in_one(submission):
    """Two downloads joined into one file by a script: the release, and the notebook with the answers."""
    submission.data = (submission.text(submission.empty()) + submission.text()).encode()


# One of the pictures of week 1 has long lines of two of week 4.
@damaged(week="week4_encoder", repairs={"given_edited", "duplicate_dropped", "reordered", "cells_parted"})
def two_weeks_in_one(submission):
    """Both weeks' notebooks pasted into one, the other week first."""
    submission.notebook["cells"] = submission.other_week("week1_attention").cells + submission.cells


@damaged(week="week5_tokenizer")
def utf_16(submission):
    """Saved as "Unicode" by an old Windows editor: UTF-16 with a byte order mark."""
    submission.data = submission.text().encode("utf-16")


@damaged()
def utf_16_big_endian(submission):
    """UTF-16 the other way round and without a mark, as a database export wrote it."""
    submission.data = submission.text().encode("utf-16-be")


@damaged()
def utf_16_without_mark(submission):
    """UTF-16 whose byte order mark was cut off by a script that took it for garbage."""
    submission.data = submission.text().encode("utf-16-le")


@damaged()
def windows_line_ends(submission):
    """Through a version control that turned every line end into Windows's, also inside the sources."""
    for cell in submission.cells:
        cell["source"] = cell["source"].replace("\n", "\r\n")
    submission.data = submission.text().replace("\n", "\r\n").encode()


@damaged(status="unreadable")
def word_document(submission):
    """The code pasted into a word processor, and that file renamed."""
    with zipfile.ZipFile(file := io.BytesIO(), "w") as archive:
        archive.writestr("[Content_Types].xml", "<Types/>")
        archive.writestr("word/document.xml", "<document>def softmax(x): return x</document>")
    submission.data = file.getvalue()


@damaged(repairs={"unpacked"})
def zip_renamed(submission):
    """The zip that the browser had made of a folder, renamed because the LMS takes .ipynb only."""
    with zipfile.ZipFile(file := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("__MACOSX/week 1/._attention.ipynb", b"\x00\x05\x16\x07")
        archive.writestr("week 1/attention.ipynb", submission.text())
    submission.data = file.getvalue()
