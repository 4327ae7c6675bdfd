"""word_tokenizer: does not count the specials in max_size.

Question: word_tokenizer
Mistakes: slip
Deserves: 85 %
Fails: word_tokenizer_hidden_size
Tell: max_size should limit the whole vocabulary: the four specials count too.
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
        self.vocabulary = list(SPECIALS) + tokens[: self.max_size]
        self.ids = {token: i for i, token in enumerate(self.vocabulary)}

    def encode(self, text, ends=False):
        ids = [self.ids.get(token, 1) for token in re.findall(r"\w+|[^\w\s]", text)]
        if ends:
            ids = [2] + ids + [3]
        return ids

    def decode(self, ids):
        return " ".join(self.vocabulary[i] for i in ids if i not in (0, 2, 3))
