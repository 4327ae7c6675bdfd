"""bpe_tokenizer: has no special tokens in the vocabulary.

Question: bpe_tokenizer
Mistakes: slip
Deserves: 60 %
Fails: bpe_tokenizer_vocabulary, bpe_tokenizer_hidden_unknown, bpe_tokenizer_hidden_ends,
    bpe_tokenizer_hidden_unseen
Tell: The vocabulary should begin with the four specials, so that the first character has the id 4.
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
        self.vocabulary = characters + [END] + [a + b for a, b in self.merges]
        self.ids = {token: i for i, token in enumerate(self.vocabulary)}

    def encode(self, text, ends=False):
        ids = []
        for word in text.split():
            for token in encode_word(list(word) + [END], self.merges):
                ids.append(self.ids.get(token, 1))
        if ends:
            ids = [2] + ids + [3]
        return ids

    def decode(self, ids):
        tokens = [self.vocabulary[i] for i in ids]
        return "".join(tokens).replace(END, " ").rstrip(" ")
