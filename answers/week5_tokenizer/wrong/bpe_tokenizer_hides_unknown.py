"""bpe_tokenizer: leaves <UNK> out when decoding.

Question: bpe_tokenizer
Mistakes: slip
Deserves: 80 %
Fails: bpe_tokenizer_hidden_unknown
Tell: BPETokenizer.decode should show <UNK> in the text: only the ids 0, 2 and 3 are to be left out.
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
        tokens = [self.vocabulary[i] for i in ids if i > UNK and i not in (BOS, EOS)]
        return "".join(tokens).replace(END, " ").rstrip(" ")
