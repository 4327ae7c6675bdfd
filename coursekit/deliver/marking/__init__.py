"""Marking by people: all answers to one question in a row, in a browser, into nbgrader's gradebook.

rubric     what an answer was given, and the points and the comment that this makes
store      both in the gradebook: read, written, undone, whoever else writes
answers    the answers to one question, with what is known of each
pages      HTML
server     who may ask for it, and what the addresses do
"""
