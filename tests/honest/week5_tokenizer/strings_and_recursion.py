"""Recursion over symbols, regular expressions, f-strings, unicode names, caches between calls."""


def habit(submission):
    submission["encode_word"] = """
from functools import lru_cache
@lru_cache(maxsize=None)
def _encode(symbols, merges):
    if not merges: return symbols
    return _encode(tuple(merge_pair(list(symbols), merges[0])), merges[1:])
def encode_word(symbols, merges):
    import sys; sys.setrecursionlimit(10_000)
    return [*_encode((*symbols,), tuple(map(tuple, merges)))]
"""
