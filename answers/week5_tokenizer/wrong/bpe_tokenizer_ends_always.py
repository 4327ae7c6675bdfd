"""bpe_tokenizer: always adds the special tokens at the ends.

Question: bpe_tokenizer
Mistakes: slip
Deserves: 75 %
Fails: bpe_tokenizer_encode, bpe_tokenizer_hidden_ends
Tell: BPETokenizer.encode should add <BOS> and <EOS> only with ends=True.
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
        self.merges = train_bpe(word_counts, num_merges)
        characters = sorted({character for word in word_counts for character in word})
        self.vocabulary = list(SPECIALS) + characters + [END] + [a + b for a, b in self.merges]
        self.ids = {token: i for i, token in enumerate(self.vocabulary)}

    def encode(self, text, ends=False):
        ids = []
        for word in text.split():
            for token in encode_word(list(word) + [END], self.merges):
                ids.append(self.ids.get(token, UNK))
        return [BOS] + ids + [EOS]

    def decode(self, ids):
        tokens = [self.vocabulary[i] for i in ids if i not in (PAD, BOS, EOS)]
        return "".join(tokens).replace(END, " ").rstrip(" ")
