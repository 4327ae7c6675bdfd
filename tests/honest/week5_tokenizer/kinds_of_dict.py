"""defaultdict and Counter given back, dataclass tokenizers, properties, slots, static methods, generators."""


def habit(submission):
    submission["pairs"] = """
from collections import defaultdict
from itertools import pairwise
def count_pairs(splits):
    counts = defaultdict(int)
    for symbols, count in splits.items():
        for pair in pairwise(symbols): counts[pair] += count
    return counts
def merge_pair(symbols, pair):
    def walk(rest):
        rest = iter(list(rest)); held = None
        for symbol in rest:
            if held is not None and (held, symbol) == tuple(pair):
                yield held + symbol; held = None
            else:
                if held is not None: yield held
                held = symbol
        if held is not None: yield held
    return list(walk(symbols))
"""
