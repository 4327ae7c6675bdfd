"""bpe_tokenizer: encodes words without the end mark.

Question: bpe_tokenizer
Mistakes: slip
Deserves: 60 %
Fails: bpe_tokenizer_encode, bpe_tokenizer_hidden_refit
Tell: Without the end mark the words run together in decode: encode list(word) + [END].
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
            for token in encode_word(list(word), self.merges):
                ids.append(self.ids.get(token, 1))
        if ends:
            ids = [2] + ids + [3]
        return ids

    def decode(self, ids):
        tokens = [self.vocabulary[i] for i in ids if i not in (0, 2, 3)]
        return "".join(tokens).replace(END, " ").rstrip(" ")
