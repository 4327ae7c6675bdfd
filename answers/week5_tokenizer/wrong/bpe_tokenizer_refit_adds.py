"""bpe_tokenizer: keeps the characters of earlier fits.

Question: bpe_tokenizer
Mistakes: slip
Deserves: 85 %
Fails: bpe_tokenizer_hidden_refit
Tell: Characters from an earlier fit are still in the vocabulary: begin anew in each fit.
"""


class BPETokenizer:
    def __init__(self):
        self.merges, self.vocabulary, self.ids, self.characters = [], list(SPECIALS), {}, set()

    def fit(self, texts, num_merges):
        words = Counter(word for text in texts for word in text.split())
        self.merges = train_bpe(words, num_merges)
        self.characters |= set("".join(words))
        self.vocabulary = [*SPECIALS, *sorted(self.characters), END, *(a + b for a, b in self.merges)]
        self.ids = {token: i for i, token in enumerate(self.vocabulary)}

    def encode(self, text, ends=False):
        ids = [self.ids.get(t, UNK) for word in text.split() for t in encode_word([*word, END], self.merges)]
        return [BOS, *ids, EOS] if ends else ids

    def decode(self, ids):
        text = "".join(self.vocabulary[i] for i in ids if i not in (PAD, BOS, EOS))
        return text.replace(END, " ").strip()
