"""Renamed as another course asks for it: the student's name, spaces, umlauts in two characters each."""

REPAIRS = {"renamed_file"}


def damage(submission):
    submission.name = "Hausaufgabe 1 Jo\u0308rg  Mu\u0308ller FINAL (2).ipynb"
