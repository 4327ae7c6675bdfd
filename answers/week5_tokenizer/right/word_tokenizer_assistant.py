"""word_tokenizer: the way a chat assistant writes it: type hints, docstrings, constants.

Question: word_tokenizer
"""


class WordTokenizer:
    """A simple word-level tokenizer with special tokens."""

    PAD_ID: int = 0
    UNK_ID: int = 1
    BOS_ID: int = 2
    EOS_ID: int = 3
    TOKEN_PATTERN = re.compile(r"\w+|[^\w\s]")

    def __init__(self, max_size: int | None = None) -> None:
        """Initialise the tokenizer with an optional maximum vocabulary size."""
        self.max_size: int | None = max_size
        self.vocabulary: list[str] = []
        self.token_to_id: dict[str, int] = {}
        self._build_vocabulary([])

    def _tokenize(self, text: str) -> list[str]:
        """Split text into words and punctuation."""
        return self.TOKEN_PATTERN.findall(text)

    def _build_vocabulary(self, tokens: list[str]) -> None:
        """Build the vocabulary list and its inverse."""
        vocabulary = ["<PAD>", "<UNK>", "<BOS>", "<EOS>"] + tokens
        if self.max_size is not None:
            vocabulary = vocabulary[: self.max_size]
        self.vocabulary = vocabulary
        self.token_to_id = {token: index for index, token in enumerate(vocabulary)}

    def fit(self, texts: list[str]) -> "WordTokenizer":
        """Learn the vocabulary from a list of texts."""
        frequency: Counter[str] = Counter()
        for text in texts:
            frequency.update(self._tokenize(text))
        # Sort by descending frequency, then alphabetically for a deterministic order
        sorted_items = sorted(frequency.items(), key=lambda item: (-item[1], item[0]))
        self._build_vocabulary([token for token, _ in sorted_items])
        return self

    def encode(self, text: str, ends: bool = False) -> list[int]:
        """Convert text to a list of token ids."""
        ids = [self.token_to_id.get(token, self.UNK_ID) for token in self._tokenize(text)]
        return [self.BOS_ID, *ids, self.EOS_ID] if ends else ids

    def decode(self, ids: list[int]) -> str:
        """Convert ids back into text."""
        skipped = {self.PAD_ID, self.BOS_ID, self.EOS_ID}
        return " ".join(self.vocabulary[token_id] for token_id in ids if token_id not in skipped)
