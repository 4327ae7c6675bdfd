"""word_tokenizer: looks an unknown token up in lower case.

Question: word_tokenizer
Mistakes: slip
Deserves: 85 %
Fails: word_tokenizer_hidden_text
Tell: A token that is not in the vocabulary is unknown, even if its lower case is there: keep case.
"""


class WordTokenizer:
    def __init__(self, max_size=None):
        self.max_size = max_size
        self.vocabulary = list(SPECIALS)
        self.ids = {token: i for i, token in enumerate(SPECIALS)}

    def fit(self, texts):
        counts = Counter()
        for text in texts:
            counts.update(re.findall(r"\w+|[^\w\s]", text))
        self.vocabulary = [*SPECIALS, *sorted(counts, key=lambda t: (-counts[t], t))]
        if self.max_size is not None:
            self.vocabulary = self.vocabulary[: self.max_size]
        self.ids = {token: i for i, token in enumerate(self.vocabulary)}

    def encode(self, text, ends=False):
        tokens = re.findall(r"\w+|[^\w\s]", text)
        ids = [self.ids.get(token, self.ids.get(token.lower(), UNK)) for token in tokens]
        return [BOS] + ids + [EOS] if ends else ids

    def decode(self, ids):
        return " ".join(self.vocabulary[i] for i in ids if i not in {PAD, BOS, EOS})
