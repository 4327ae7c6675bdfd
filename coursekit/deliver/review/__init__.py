"""The TAs' pages: first the submissions that need a person, then the class. They need no network and no server.

week_data     the data on each student of a week
statistics    how questions and tests worked
groups        failures by what went wrong
repair_diffs  the changes that repair made, as diffs
files         what was handed in beside the notebooks
similarity    answers of different students that share rare fingerprints
pages         all of it as HTML in reports/
"""
