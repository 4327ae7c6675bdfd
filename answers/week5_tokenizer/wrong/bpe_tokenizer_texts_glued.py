"""bpe_tokenizer: joins the texts without a space.

Question: bpe_tokenizer
Mistakes: slip
Deserves: 85 %
Fails: bpe_tokenizer_merges
Tell: The last word of a text and the first word of the next become one word: split each text on its own.
"""


class BPETokenizer:
    def __init__(self):
        self.merges = []
        self.vocabulary = list(SPECIALS)
        self.number = {}

    def fit(self, texts, num_merges):
        counts = Counter()
        counts.update("".join(texts).split())
        self.merges = train_bpe(dict(counts), num_merges)
        characters = sorted({character for word in counts for character in word})
        self.vocabulary = [*SPECIALS, *characters, END]
        for left, right in self.merges:
            self.vocabulary.append(left + right)
        self.number = {token: i for i, token in enumerate(self.vocabulary)}

    def encode(self, text, ends=False):
        ids = []
        for word in text.split():
            for token in encode_word([*word, END], self.merges):
                ids.append(self.number.get(token, UNK))
        return [BOS, *ids, EOS] if ends else ids

    def decode(self, ids):
        text = "".join(self.vocabulary[i] for i in ids if i not in (PAD, BOS, EOS))
        return text.replace(END, " ").removesuffix(" ")
