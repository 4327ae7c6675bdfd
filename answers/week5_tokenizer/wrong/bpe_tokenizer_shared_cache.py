"""bpe_tokenizer: has one cache of words for all tokenizers.

Question: bpe_tokenizer
Mistakes: slip
Deserves: 80 %
Fails: bpe_tokenizer_hidden_refit
Tell: A dictionary in the class body is one for all tokenizers: make the cache in __init__.
"""


class BPETokenizer:
    """Byte pair encoding tokenizer."""

    _cache: dict[str, list[int]] = {}

    def __init__(self) -> None:
        self.merges: list[tuple[str, str]] = []
        self.vocabulary: list[str] = ["<PAD>", "<UNK>", "<BOS>", "<EOS>"]
        self.token_to_id: dict[str, int] = {token: i for i, token in enumerate(self.vocabulary)}

    def fit(self, texts: list[str], num_merges: int) -> "BPETokenizer":
        """Train the tokenizer."""
        word_counts: dict[str, int] = {}
        for text in texts:
            for word in text.split():
                word_counts[word] = word_counts.get(word, 0) + 1

        self.merges = train_bpe(word_counts=word_counts, num_merges=num_merges)

        # Build the vocabulary in a deterministic order
        characters = sorted(set("".join(word_counts.keys())))
        merged_tokens = [left + right for left, right in self.merges]
        self.vocabulary = ["<PAD>", "<UNK>", "<BOS>", "<EOS>", *characters, "</w>", *merged_tokens]
        self.token_to_id = {token: index for index, token in enumerate(self.vocabulary)}
        self._cache.clear()
        return self

    def _encode_single_word(self, word: str) -> list[int]:
        """Encode one word, with caching."""
        if word not in self._cache:
            tokens = encode_word(symbols=[*list(word), "</w>"], merges=self.merges)
            self._cache[word] = [self.token_to_id.get(token, 1) for token in tokens]
        return self._cache[word]

    def encode(self, text: str, ends: bool = False) -> list[int]:
        """Convert text into token ids."""
        ids: list[int] = []
        for word in text.split():
            ids.extend(self._encode_single_word(word))
        return [2, *ids, 3] if ends else ids

    def decode(self, ids: list[int]) -> str:
        """Convert token ids into text."""
        special_ids = {0, 2, 3}
        pieces = [self.vocabulary[token_id] for token_id in ids if token_id not in special_ids]
        text = "".join(pieces)
        return " ".join(text.split("</w>")).strip()
