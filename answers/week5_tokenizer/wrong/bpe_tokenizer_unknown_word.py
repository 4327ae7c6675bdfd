"""bpe_tokenizer: makes one <UNK> of a whole word that holds an unknown character.

Question: bpe_tokenizer
Mistakes: slip
Deserves: 80 %
Fails: bpe_tokenizer_hidden_unknown
Tell: Only the unknown character should become <UNK>, and the rest of its word should be cut as usual.
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
            if any(character not in self.ids for character in word):
                ids.append(1)
                continue
            for token in encode_word(list(word) + [END], self.merges):
                ids.append(self.ids.get(token, 1))
        if ends:
            ids = [2] + ids + [3]
        return ids

    def decode(self, ids):
        tokens = [self.vocabulary[i] for i in ids if i not in (0, 2, 3)]
        return "".join(tokens).replace(END, " ").rstrip(" ")
