"""word_tokenizer: the dict of ids belongs to the class.

Question: word_tokenizer
Mistakes: slip
Deserves: 85 %
Fails: word_tokenizer_hidden_refit
Tell: The ids of all tokenizers are in one dict or list: give each tokenizer its own, as an attribute of self.
"""


class WordTokenizer:
    number = {}

    def __init__(self, max_size=None):
        self.max_size = max_size
        self.vocabulary = list(SPECIALS)
        WordTokenizer.number = {token: i for i, token in enumerate(self.vocabulary)}

    def cut(self, text):
        return re.findall(r"\w+|[^\w\s]", text)

    def fit(self, texts):
        counts = {}
        for text in texts:
            for token in self.cut(text):
                counts[token] = counts.get(token, 0) + 1
        order = sorted(counts.items(), key=lambda item: (-item[1], item[0]))
        self.vocabulary = list(SPECIALS) + [token for token, _ in order]
        if self.max_size is not None:
            self.vocabulary = self.vocabulary[: self.max_size]
        WordTokenizer.number = {token: i for i, token in enumerate(self.vocabulary)}

    def encode(self, text, ends=False):
        ids = []
        for token in self.cut(text):
            ids.append(self.number.get(token, UNK))
        if ends:
            ids = [BOS] + ids + [EOS]
        return ids

    def decode(self, ids):
        kept = [i for i in ids if i not in (PAD, BOS, EOS)]
        return " ".join(self.vocabulary[i] for i in kept)
