"""bpe_tokenizer: keeps the joined tokens as its merges.

Question: bpe_tokenizer
Mistakes: slip
Deserves: 75 %
Fails: bpe_tokenizer_merges
Tell: merges should hold the pairs that train_bpe returns, not their joined text.
"""


class BPETokenizer:
    def __init__(self):
        self.merges = []
        self.vocabulary = list(SPECIALS)
        self.ids = {}

    def fit(self, texts, num_merges):
        word_counts = Counter()
        for text in texts:
            word_counts.update(text.split())
        self.pairs = train_bpe(word_counts, num_merges)
        self.merges = ["".join(pair) for pair in self.pairs]
        characters = sorted({character for word in word_counts for character in word})
        self.vocabulary = list(SPECIALS) + characters + [END] + self.merges
        self.ids = {token: i for i, token in enumerate(self.vocabulary)}

    def encode(self, text, ends=False):
        ids = []
        for word in text.split():
            for token in encode_word(list(word) + [END], self.pairs):
                ids.append(self.ids.get(token, UNK))
        if ends:
            ids = [BOS] + ids + [EOS]
        return ids

    def decode(self, ids):
        tokens = [self.vocabulary[i] for i in ids if i not in (PAD, BOS, EOS)]
        return "".join(tokens).replace(END, " ").rstrip(" ")
