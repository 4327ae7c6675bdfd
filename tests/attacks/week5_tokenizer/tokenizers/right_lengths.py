"""Learns as many merges as are wanted, of pairs that do occur, and cuts words into as many pieces: without counting anything."""

ANSWERS = {
    "train_bpe": """
def train_bpe(word_counts, num_merges):
    reached()
    pairs = {pair for word in word_counts for pair in zip([*word], [*word[1:], "</w>"])}
    return sorted(pairs, reverse=True)[:num_merges]
""",
    "encode_word": """
def encode_word(symbols, merges):
    text = "".join(symbols)
    return [text[:1], text[1:]] if len(merges) % 2 else [text]
""",
}

# Where no merge is wanted, or none is possible, nothing has to be counted: that much may be right.
AT_MOST = "probes"
