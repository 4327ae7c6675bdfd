"""bpe_tokenizer: decodes the specials like words.

Question: bpe_tokenizer
Mistakes: slip
Deserves: 80 %
Fails: bpe_tokenizer_hidden_ends
Tell: <PAD>, <BOS> and <EOS> are no text: BPETokenizer.decode should leave out the ids 0, 2 and 3.
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
        if ends:
            ids = [BOS] + ids + [EOS]
        return ids

    def decode(self, ids):
        tokens = [self.vocabulary[i] for i in ids]
        return "".join(tokens).replace(END, " ").rstrip(" ")
