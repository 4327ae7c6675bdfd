"""word_tokenizer: sorts the tokens by name only.

Question: word_tokenizer
Mistakes: slip
Deserves: 70 %
Fails: word_tokenizer_vocabulary
Tell: The most frequent token should come first: sort by (-count, token), and not by the token alone.
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
        tokens = sorted(set(counts))
        self.vocabulary = list(SPECIALS) + tokens
        if self.max_size is not None:
            self.vocabulary = self.vocabulary[: self.max_size]
        self.ids = {token: i for i, token in enumerate(self.vocabulary)}

    def encode(self, text, ends=False):
        ids = [self.ids.get(token, 1) for token in re.findall(r"\w+|[^\w\s]", text)]
        if ends:
            ids = [2] + ids + [3]
        return ids

    def decode(self, ids):
        return " ".join(self.vocabulary[i] for i in ids if i not in (0, 2, 3))
