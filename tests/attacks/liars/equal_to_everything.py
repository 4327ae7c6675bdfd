"""Answers with an object that is equal to everything, true, and within every tolerance."""

ANSWER = """
class Liar:
    def yes(self, *args, **kwargs):
        return True
    def me(self, *args, **kwargs):
        reached()
        return self
    __eq__ = __ne__ = __lt__ = __le__ = __gt__ = __ge__ = __bool__ = __contains__ = yes
    __add__ = __radd__ = __sub__ = __rsub__ = __mul__ = __rmul__ = __truediv__ = __abs__ = __neg__ = me
    __call__ = __getitem__ = me
    __hash__ = lambda self: 0
    __len__ = lambda self: 2
    __iter__ = lambda self: iter((self, self))
    __getattr__ = lambda self, name: self

give = Liar()
"""
