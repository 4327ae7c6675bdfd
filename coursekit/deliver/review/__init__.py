"""The TA's pages: what needs a person first, then what the class did, with no network and no program to run.

week_data     what is known of each student of a week
statistics    how questions and tests worked
groups        failures by what went wrong
repair_diffs  what repair changed, as a diff
similarity    answers of different students that share what few others have
pages         all of it as HTML in reports/
"""
