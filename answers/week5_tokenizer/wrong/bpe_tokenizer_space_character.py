"""bpe_tokenizer: counts white space among the characters.

Question: bpe_tokenizer
Mistakes: slip
Deserves: 65 %
Fails: bpe_tokenizer_vocabulary, bpe_tokenizer_merges, bpe_tokenizer_hidden_unseen, bpe_tokenizer_hidden_refit
Tell: White space should not be in the vocabulary: collect the characters of the words, not of the texts.
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
        characters = sorted(set("".join(texts)))
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
        tokens = [self.vocabulary[i] for i in ids if i not in (PAD, BOS, EOS)]
        return "".join(tokens).replace(END, " ").rstrip(" ")
