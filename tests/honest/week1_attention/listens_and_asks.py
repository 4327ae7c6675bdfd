"""Listens to the narration, asks the tutor and shows a progress bar, in answer cells too."""

REPAIRS = {
    "cells_parted"
}  # the line that opens a player stands in a cell of the course: it is put back there


def habit(submission):
    for question in ("softmax", "padding_mask"):
        submission[question] = (
            'listen("02_softmax")\n'
            + submission[question]
            + '\n\ntutor("is it right?")\ntutor("why not?", cell="softmax")\nhand_in("s07")\n'
            "for step in (bar := with_progress(range(20), 'nothing')):\n    bar.set_postfix(loss=1 / (1 + step))\n"
        )
    submission.add('tutor("what now?")\nlisten("03_attention_by_hand")')
