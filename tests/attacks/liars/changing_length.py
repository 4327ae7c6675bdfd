"""Answers with lists and iterators that give another length, other items and no end each time they are looked at."""

ANSWER = """
import itertools, random

class Changing:
    def __init__(self):
        self.looks = 0
    def __len__(self):
        self.looks += 1
        return [2, 0, 10**9, -1, 2**63, True][self.looks % 6] if self.looks % 5 else 2
    def __iter__(self):
        return itertools.cycle([0.5, None, self, float("nan")]) if self.looks % 2 else iter(())
    def __getitem__(self, key):
        self.looks += 1
        return self.looks if self.looks % 3 else self
    @property
    def shape(self):
        self.looks += 1
        return (self.looks,) * (self.looks % 4)

def give(*args, **kwargs):
    reached()
    return Changing()
"""
