"""word_tokenizer: leaves equal counts in the order of appearance, as most_common does.

Question: word_tokenizer
Mistakes: slip
Deserves: 80 %
Fails: word_tokenizer_vocabulary
Tell: Tokens with equal counts should stand in alphabetical order; most_common, for example, leaves them in
    order of appearance.
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
        tokens = [token for token, _ in counts.most_common()]
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
