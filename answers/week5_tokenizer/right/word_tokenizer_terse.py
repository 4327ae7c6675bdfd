"""word_tokenizer: short, with a defaultdict that answers 1 and names looked up from ids.

Question: word_tokenizer
"""

cut = re.compile(r"\w+|[^\w\s]").findall


class WordTokenizer:
    def __init__(self, max_size=None):
        self.max_size, self.vocabulary, self.id_of = max_size, [*SPECIALS], defaultdict(lambda: 1)

    def fit(self, texts):
        c = Counter(t for text in texts for t in cut(text))
        self.vocabulary = [*SPECIALS, *sorted(sorted(c), key=lambda t: -c[t])][: self.max_size]
        self.id_of = defaultdict(lambda: 1, zip(self.vocabulary, range(len(self.vocabulary)), strict=True))

    def encode(self, text, ends=False):
        return [2] * ends + [self.id_of[t] for t in cut(text)] + [3] * ends

    def decode(self, ids):
        return " ".join(self.vocabulary[i] for i in ids if i == 1 or i > 3)
