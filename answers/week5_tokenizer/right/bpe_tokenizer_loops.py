"""bpe_tokenizer: explicit loops, words built up letter by letter when decoding.

Question: bpe_tokenizer
"""


class BPETokenizer:
    def __init__(self):
        self.merges = []
        self.vocabulary = ["<PAD>", "<UNK>", "<BOS>", "<EOS>"]

    def fit(self, texts, num_merges):
        counts = {}
        letters = []
        for text in texts:
            for word in text.split():
                if word not in counts:
                    counts[word] = 0
                counts[word] += 1
                for letter in word:
                    if letter not in letters:
                        letters.append(letter)
        letters.sort()
        self.merges = train_bpe(counts, num_merges)
        self.vocabulary = ["<PAD>", "<UNK>", "<BOS>", "<EOS>"]
        for letter in letters:
            self.vocabulary.append(letter)
        self.vocabulary.append("</w>")
        for left, right in self.merges:
            self.vocabulary.append(left + right)

    def encode(self, text, ends=False):
        ids = []
        for word in text.split():
            symbols = []
            for letter in word:
                symbols.append(letter)
            symbols.append("</w>")
            for token in encode_word(symbols, self.merges):
                try:
                    ids.append(self.vocabulary.index(token))
                except ValueError:
                    ids.append(1)
        if ends:
            ids.insert(0, 2)
            ids.append(3)
        return ids

    def decode(self, ids):
        words = [""]
        for i in ids:
            if i in [0, 2, 3]:
                continue
            token = self.vocabulary[i]
            if token.endswith("</w>"):
                words[-1] += token[: -len("</w>")]
                words.append("")
            else:
                words[-1] += token
        if words[-1] == "":
            words.pop()
        return " ".join(words)
