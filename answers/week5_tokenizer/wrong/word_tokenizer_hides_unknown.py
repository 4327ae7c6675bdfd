"""word_tokenizer: leaves <UNK> out when decoding.

Question: word_tokenizer
Mistakes: slip
Deserves: 85 %
Fails: word_tokenizer_hidden_unknown
Tell: <UNK> should stay visible in the decoded text: only ids 0, 2 and 3 are to be left out.
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
        if ends:
            ids = [2] + ids + [3]
        return ids

    def decode(self, ids):
        return " ".join(self.vocabulary[i] for i in ids if i > 3)
