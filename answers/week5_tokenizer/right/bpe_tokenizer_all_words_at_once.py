"""bpe_tokenizer: cuts the whole text in one call of encode_word: no merge crosses an end mark.

Question: bpe_tokenizer
"""


class BPETokenizer:
    def __init__(self):
        self.merges, self.vocabulary = [], list(SPECIALS)

    def fit(self, texts, num_merges):
        counts = Counter(word for text in texts for word in text.split())
        self.merges = train_bpe(dict(counts), num_merges)
        tokens = sorted(set().union(*counts)) + [END]
        self.vocabulary = list(SPECIALS) + tokens + ["".join(pair) for pair in self.merges]

    def encode(self, text, ends=False):
        number = {token: i for i, token in enumerate(self.vocabulary)}
        symbols = [symbol for word in text.split() for symbol in (*word, END)]
        tokens = encode_word(symbols, self.merges) if symbols else []
        ids = [number.get(token, number["<UNK>"]) for token in tokens]
        return [number["<BOS>"], *ids, number["<EOS>"]] if ends else ids

    def decode(self, ids):
        text = "".join(
            self.vocabulary[i] for i in ids if self.vocabulary[i] not in ("<PAD>", "<BOS>", "<EOS>")
        )
        return text.removesuffix(END).replace(END, " ")
