"""encode_word: the way a chat assistant writes it: by rank, all occurrences at once, type hints.

Question: encode_word
"""


def encode_word(symbols: list[str], merges: list[tuple[str, str]]) -> list[str]:
    """Encode a word by applying learned BPE merges in priority order."""
    # Lower rank means that the merge was learned earlier
    merge_ranks: dict[tuple[str, str], int] = {tuple(pair): rank for rank, pair in enumerate(merges)}
    tokens: list[str] = list(symbols)

    while True:
        # Find the adjacent pair with the best (lowest) rank
        pairs = list(zip(tokens, tokens[1:], strict=False))
        best_pair = min(pairs, key=lambda pair: merge_ranks.get(pair, float("inf")), default=None)
        if best_pair is None or best_pair not in merge_ranks:
            break

        # Merge all occurrences of that pair
        merged: list[str] = []
        index = 0
        while index < len(tokens):
            if index < len(tokens) - 1 and (tokens[index], tokens[index + 1]) == best_pair:
                merged.append(tokens[index] + tokens[index + 1])
                index += 2
            else:
                merged.append(tokens[index])
                index += 1
        tokens = merged

    return tokens
