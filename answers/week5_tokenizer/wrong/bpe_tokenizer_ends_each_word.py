"""bpe_tokenizer: marks the ends of every word instead of the text's, and decodes the marks.

Question: bpe_tokenizer
Mistakes: slip
Deserves: 75 %
Fails: bpe_tokenizer_hidden_ends
Tell: <BOS> and <EOS> should stand once, around the whole text, and decode should leave them out.
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
            ids += [2] * ends
            for token in encode_word(list(word) + [END], self.merges):
                ids.append(self.ids.get(token, 1))
            ids += [3] * ends
        return ids

    def decode(self, ids):
        tokens = [self.vocabulary[i] for i in ids if i != 0]
        return "".join(tokens).replace(END, " ").rstrip(" ")
