"""Marking by people: all answers to one question in a row, in a browser, into nbgrader's gradebook.

rubric     what an answer was given, and the points and the comment that this makes
store      both in the gradebook: read, written and undone in transactions
answers    the answers to one question, with what is known of each
server     who may ask for them, and what the addresses do
"""
