"""bpe_tokenizer: takes only three kinds of white space out of the characters.

Question: bpe_tokenizer
Mistakes: slip
Deserves: 85 %
Fails: bpe_tokenizer_hidden_unseen
Tell: White space of another kind is in the vocabulary, such as a carriage return: take the characters of
    text.split().
"""


class BPETokenizer:
    def __init__(self):
        self.merges = []
        self.vocabulary = list(SPECIALS)
        self.number = {}

    def fit(self, texts, num_merges):
        counts = Counter()
        for text in texts:
            counts.update(text.split())
        self.merges = train_bpe(dict(counts), num_merges)
        characters = sorted(set("".join(texts)) - set(" \t\n"))
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
