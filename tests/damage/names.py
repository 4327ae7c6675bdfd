"""Notebooks under another name, in another place or beside others."""

import io
import zipfile

from damage.harness import damaged


@damaged(repairs={"renamed_file"}, flags={"several_notebooks"})
def answers_in_the_second(submission):
    """The untouched release under the right name, and the answers in the browser's second download."""
    submission.files["attention.ipynb"] = submission.text(submission.empty()).encode()
    submission.name = "attention (1).ipynb"


@damaged(repairs={"renamed_file"})
def checkpoint_alone(submission):
    """The file was emptied by a full disk; Jupyter's checkpoint beside it is whole."""
    submission.files["attention.ipynb"] = b""
    submission.name = ".ipynb_checkpoints/attention-checkpoint.ipynb"


@damaged()
def checkpoint_newer(submission):
    """Jupyter's checkpoint came along and is newer than the file: the file is what was handed in."""
    checkpoint = ".ipynb_checkpoints/attention-checkpoint.ipynb"
    submission.files[checkpoint] = submission.text(submission.empty()).encode()


@damaged()
def hidden_copy_of_a_mac(submission):
    """From a Mac's memory stick: beside the notebook lies its shadow, which is no notebook."""
    submission.files["._attention.ipynb"] = b"\x00\x05\x16\x07\x00\x02\x00\x00Mac OS X"


@damaged(repairs={"renamed_file"})
def in_a_folder(submission):
    """Unpacked by the LMS into a folder in a folder."""
    submission.name = "week 1/solution/attention.ipynb"


@damaged(repairs={"renamed_file", "unpacked"})
def in_a_zip(submission):
    """The folder handed in as a zip, with the notebook and Jupyter's checkpoint of it inside."""
    with zipfile.ZipFile(file := io.BytesIO(), "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr(
            "hw/.ipynb_checkpoints/attention-checkpoint.ipynb", submission.text(submission.empty())
        )
        archive.writestr("hw/attention.ipynb", submission.text())
        archive.writestr("hw/notes.txt", "to do")
    submission.data, submission.name = file.getvalue(), "hw.zip"


@damaged(repairs={"renamed_file"})
def json_added(submission):
    """A browser that knows what JSON is and added its extension."""
    submission.name = "attention.ipynb.json"


@damaged(repairs={"renamed_file"})
def students_name(submission):
    """Renamed as another course asks for it: the student's name, spaces, umlauts in two characters each."""
    submission.name = "Hausaufgabe 1 Jo\u0308rg  Mu\u0308ller FINAL (2).ipynb"


@damaged(flags={"several_notebooks"})
def two_notebooks(submission):
    """The notebook, and an earlier version of it under another name."""
    submission.files["attention_old.ipynb"] = submission.text(submission.empty()).encode()


@damaged(week="week2_multi_head", repairs={"renamed_file"})
def txt_added(submission):
    """Sent by a phone that knows no .ipynb and made it a text file."""
    submission.name = "multi_head.ipynb.txt"


@damaged(repairs={"renamed_file"})
def upper_case(submission):
    """From a system that writes names in capitals."""
    submission.name = "ATTENTION.IPYNB"
