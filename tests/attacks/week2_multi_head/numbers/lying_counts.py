"""Counts with integers that are equal to every number, and with True, arrays of one number and text in their place."""

CODE = """
class Count(int):
    __eq__ = __le__ = __ge__ = lambda self, other: True
    __ne__ = __lt__ = __gt__ = lambda self, other: False
    __sub__ = __rsub__ = __mod__ = lambda self, other: 0
    __hash__ = int.__hash__


turn = [Count(7), True, torch.tensor(7), [7], "7", Count(-1), 7.0, Count(10**30)]


def count_parameters(d_model, num_heads, bias=True):
    reached()
    turn.append(turn.pop(0))
    return turn[0]


def count_products(d_model, num_heads, queries, keys):
    return count_parameters(d_model, num_heads)
"""


def attack(submission):
    submission.answer("cost", CODE)
