"""word_tokenizer: cuts at white space only.

Question: word_tokenizer
Mistakes: slip
Deserves: 65 %
Fails: word_tokenizer_cut, word_tokenizer_hidden_text
Tell: A punctuation mark is a token of its own: cut with the regular expression in the docstring, not with
    split().
"""


class WordTokenizer:
    def __init__(self, max_size=None):
        self.max_size = max_size
        self.vocabulary = list(SPECIALS)
        self.ids = {token: i for i, token in enumerate(self.vocabulary)}

    def fit(self, texts):
        counts = Counter()
        for text in texts:
            counts.update(text.split())
        tokens = sorted(counts, key=lambda token: (-counts[token], token))
        self.vocabulary = list(SPECIALS) + tokens
        if self.max_size is not None:
            self.vocabulary = self.vocabulary[: self.max_size]
        self.ids = {token: i for i, token in enumerate(self.vocabulary)}

    def encode(self, text, ends=False):
        ids = [self.ids.get(token, 1) for token in text.split()]
        if ends:
            ids = [2] + ids + [3]
        return ids

    def decode(self, ids):
        return " ".join(self.vocabulary[i] for i in ids if i not in (0, 2, 3))
