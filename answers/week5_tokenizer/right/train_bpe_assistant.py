"""train_bpe: the way a chat assistant writes it: nothing borrowed, everything nested, type hints.

Question: train_bpe
"""


def train_bpe(word_counts: dict[str, int], num_merges: int) -> list[tuple[str, str]]:
    """Train byte pair encoding merges.

    Args:
        word_counts: Word frequencies.
        num_merges: Maximum number of merges.

    Returns:
        Ordered list of merges.
    """

    def get_pair_frequencies(vocab: dict[str, list[str]]) -> dict[tuple[str, str], int]:
        frequencies: dict[tuple[str, str], int] = {}
        for word, symbols in vocab.items():
            for left, right in zip(symbols[:-1], symbols[1:], strict=True):
                frequencies[(left, right)] = frequencies.get((left, right), 0) + word_counts[word]
        return frequencies

    def apply_merge(symbols: list[str], pair: tuple[str, str]) -> list[str]:
        output: list[str] = []
        position = 0
        while position < len(symbols):
            if tuple(symbols[position : position + 2]) == pair:
                output.append(pair[0] + pair[1])
                position += 2
            else:
                output.append(symbols[position])
                position += 1
        return output

    # Step 1: represent every word as a list of characters plus the end-of-word symbol
    vocab = {word: [*word, "</w>"] for word in word_counts}
    merges: list[tuple[str, str]] = []

    # Step 2: repeatedly merge the most frequent pair
    while len(merges) < num_merges:
        frequencies = get_pair_frequencies(vocab)
        if not frequencies:
            break
        highest = max(frequencies.values())
        best_pair = min(pair for pair, frequency in frequencies.items() if frequency == highest)
        vocab = {word: apply_merge(symbols, best_pair) for word, symbols in vocab.items()}
        merges.append(best_pair)

    return merges
