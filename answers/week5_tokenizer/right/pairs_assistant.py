"""pairs: the way a chat assistant writes it: type hints, many comments.

Question: pairs
"""

from collections import defaultdict as _defaultdict


def count_pairs(splits: dict[tuple[str, ...], int]) -> dict[tuple[str, str], int]:
    """Count the frequency of every adjacent symbol pair."""
    pair_counts: dict[tuple[str, str], int] = _defaultdict(int)
    for symbols, frequency in splits.items():
        # A word with n symbols has n - 1 adjacent pairs
        for index in range(len(symbols) - 1):
            pair = (symbols[index], symbols[index + 1])
            pair_counts[pair] += frequency
    return dict(pair_counts)


def merge_pair(symbols: list[str] | tuple[str, ...], pair: tuple[str, str]) -> list[str]:
    """Merge every non-overlapping occurrence of a pair."""
    first, second = pair
    merged_symbol = first + second
    new_symbols: list[str] = []
    index = 0
    while index < len(symbols):
        # Check that we are not at the last symbol before looking ahead
        is_last = index == len(symbols) - 1
        if not is_last and symbols[index] == first and symbols[index + 1] == second:
            new_symbols.append(merged_symbol)
            index += 2  # skip both symbols
        else:
            new_symbols.append(symbols[index])
            index += 1
    return new_symbols
