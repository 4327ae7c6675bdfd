"""The cells that a lesson's notebook has for listening, asking and handing in, by their ids.

`lesson.common_cells` writes these cells; publishing describes them to students and keeps them from the tutor.
"""

TUTOR, PROGRESS, HAND_IN = "tutor", "progress", "hand-in"


def is_player(cell_id: str, source: str) -> bool:
    """Return whether a cell plays a section's narration, and is not one of the author's own.

    >>> is_player("play-02-softmax", '# @title Listen\\nlisten("02_softmax")'), is_player("play-a-game", "dice = 6")
    (True, False)
    """
    return cell_id.startswith("play-") and "\nlisten(" in source
