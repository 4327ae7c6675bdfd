"""Answers with subclasses of int, float, bool-like and complex that equal everything, differ from nothing and turn into whatever float() hopes for."""

ANSWER = """
import numbers

def lying(base):
    class Liar(base):
        turn = 0
        def __eq__(self, other):
            return True
        def __ne__(self, other):
            return False
        def __sub__(self, other):
            return 0.0
        def __float__(self):
            import sys
            frame = sys._getframe(1)
            return float(frame.f_locals.get("want", 1.0))
        def __index__(self):
            return 4
        __rsub__ = __abs__ = __sub__
        __lt__ = __le__ = __gt__ = __ge__ = __eq__
        __hash__ = base.__hash__
        __int__ = __index__
    numbers.Number.register(Liar)
    return Liar

kinds = [lying(int), lying(float), lying(complex)]

def give(*args, **kwargs):
    reached()
    kinds.append(kinds.pop(0))
    return kinds[0](1)
"""
