"""Encodes to numbers that mean nothing and keeps the text: the round trip is right, and nothing else is."""

CODE = """
TEXTS = {{}}


class {name}:
    def __init__(self, max_size=None):
        self.vocabulary, self.merges = list(SPECIALS), []

    def fit(self, texts, num_merges=None):
        words = sorted({{word for text in texts for word in text.split()}}, reverse=True)
        self.vocabulary = [*SPECIALS, *words]
        self.merges = [(word, word) for word in words][:num_merges]

    def encode(self, text, ends=False):
        reached()
        ids = [7 + len(TEXTS)] * len(text.split())
        TEXTS[tuple(ids)] = " ".join(text.split())
        return [2, *ids, 3] if ends else ids

    def decode(self, ids):
        return TEXTS.get(tuple(i for i in ids if i not in (0, 2, 3)), "x")
"""


# Of no text there are no tokens: what is right of it is no knowledge of tokens, and is bounded like a probe.
AT_MOST = "probes"
ANSWERS = {
    "word_tokenizer": CODE.format(name="WordTokenizer"),
    "bpe_tokenizer": CODE.format(name="BPETokenizer"),
}
