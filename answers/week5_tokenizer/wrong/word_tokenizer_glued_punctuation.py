"""word_tokenizer: decodes punctuation marks without the space in front, and always marks the ends.

Question: word_tokenizer
Mistakes: slip, slip
Deserves: 65 %
Fails: word_tokenizer_encode, word_tokenizer_decode, word_tokenizer_hidden_ends
Tell: decode should put one space between any two tokens, and encode should add <BOS> and <EOS> only when ends
    is True.
"""


class WordTokenizer:
    def __init__(self, max_size=None):
        self.max_size = max_size
        self.vocabulary = list(SPECIALS)
        self.ids = {token: i for i, token in enumerate(self.vocabulary)}

    def fit(self, texts):
        counts = Counter()
        for text in texts:
            counts.update(re.findall(r"\w+|[^\w\s]", text))
        tokens = sorted(counts, key=lambda token: (-counts[token], token))
        self.vocabulary = list(SPECIALS) + tokens
        if self.max_size is not None:
            self.vocabulary = self.vocabulary[: self.max_size]
        self.ids = {token: i for i, token in enumerate(self.vocabulary)}

    def encode(self, text, ends=False):
        ids = [self.ids.get(token, 1) for token in re.findall(r"\w+|[^\w\s]", text)]
        return [2] + ids + [3]

    def decode(self, ids):
        text = " ".join(self.vocabulary[i] for i in ids if i not in (0, 2, 3))
        return re.sub(r" ([.,!?;:)])", r"\1", text)
