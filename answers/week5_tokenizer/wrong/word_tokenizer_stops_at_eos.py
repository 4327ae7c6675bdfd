"""word_tokenizer: decode stops at the first <EOS>.

Question: word_tokenizer
Mistakes: slip
Deserves: 85 %
Fails: word_tokenizer_hidden_ends
Tell: decode should leave <EOS> out and go on: what follows it is text, too.
"""


class WordTokenizer:
    def __init__(self, max_size=None):
        self.max_size = max_size
        self.vocabulary = list(SPECIALS)
        self.number = {token: i for i, token in enumerate(self.vocabulary)}

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
        self.number = {token: i for i, token in enumerate(self.vocabulary)}

    def encode(self, text, ends=False):
        ids = []
        for token in self.cut(text):
            ids.append(self.number.get(token, UNK))
        if ends:
            ids = [BOS] + ids + [EOS]
        return ids

    def decode(self, ids):
        ids = list(ids)
        if EOS in ids:
            ids = ids[: ids.index(EOS)]
        kept = [i for i in ids if i not in (PAD, BOS, EOS)]
        return " ".join(self.vocabulary[i] for i in kept)
