"""word_tokenizer: has no vocabulary before it is fitted.

Question: word_tokenizer
Mistakes: slip
Deserves: 80 %
Fails: word_tokenizer_vocabulary
Tell: Before fit, the vocabulary should hold the four special tokens: begin with list(SPECIALS) in __init__.
"""


class WordTokenizer:
    def __init__(self, max_size=None):
        self.max_size = max_size
        self.vocabulary = []
        self.ids = {}

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
        ids = [self.ids.get(token, UNK) for token in re.findall(r"\w+|[^\w\s]", text)]
        if ends:
            ids = [BOS] + ids + [EOS]
        return ids

    def decode(self, ids):
        return " ".join(self.vocabulary[i] for i in ids if i not in (PAD, BOS, EOS))
