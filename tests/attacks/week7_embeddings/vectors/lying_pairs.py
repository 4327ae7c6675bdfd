"""Answers with pairs whose index and similarity are equal to every number, in lists as long as you like, best first by their own account."""

CODE = """
class Number(float):
    __eq__ = __le__ = __ge__ = lambda self, other: True
    __ne__ = __lt__ = __gt__ = lambda self, other: False
    __sub__ = __rsub__ = lambda self, other: 0.0
    __abs__ = lambda self: 0.0
    __index__ = __int__ = lambda self: 0
    __hash__ = lambda self: 0


class Pair(tuple):
    __eq__ = lambda self, other: True
    __hash__ = lambda self: 0
    __iter__ = lambda self: iter((Number(0), Number(0)))
    __getitem__ = lambda self, key: Number(0)
    __len__ = lambda self: 2


class Pairs(list):
    __eq__ = lambda self, other: True
    __len__ = lambda self: 3


def most_similar(query, sentences, k):
    reached()
    return Pairs([Pair((Number(0), Number(0)))] * k)
"""


def attack(submission):
    submission.answer("most_similar", CODE)
