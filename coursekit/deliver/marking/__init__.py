"""Marking by people: all answers to one question in a row, in a browser; nbgrader's gradebook keeps the marks.

rubric     rubric items and marks, and the points and comments that follow from them
store      reads, writes and undoes both in the gradebook, in transactions
answers    the answers to one question, grouped for marking
server     who may send requests, and what each URL does
"""
