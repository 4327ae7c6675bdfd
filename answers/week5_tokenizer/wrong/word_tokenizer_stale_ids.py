"""word_tokenizer: makes its dictionary at the first encode and keeps it.

Question: word_tokenizer
Mistakes: slip
Deserves: 80 %
Fails: word_tokenizer_hidden_refit
Tell: After a second fit the ids are still those of the first: make the dictionary anew in fit.
"""


class WordTokenizer:
    def __init__(self, max_size=None):
        self.max_size = max_size
        self.vocabulary = list(SPECIALS)
        self.ids = None

    def fit(self, texts):
        counts = Counter()
        for text in texts:
            counts.update(re.findall(r"\w+|[^\w\s]", text))
        ranked = sorted(counts, key=lambda token: (-counts[token], token))
        self.vocabulary = (list(SPECIALS) + ranked)[: self.max_size]

    def encode(self, text, ends=False):
        if self.ids is None:
            self.ids = {token: i for i, token in enumerate(self.vocabulary)}
        ids = [self.ids.get(token, 1) for token in re.findall(r"\w+|[^\w\s]", text)]
        return [2] + ids + [3] if ends else ids

    def decode(self, ids):
        return " ".join(self.vocabulary[i] for i in ids if i not in (0, 2, 3))
