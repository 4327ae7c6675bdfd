"""word_tokenizer: equal counts are sorted without regard to case.

Question: word_tokenizer
Mistakes: slip
Deserves: 85 %
Fails: word_tokenizer_vocabulary
Tell: Tokens with equal counts should be in Python's order of strings, which has all capital letters before all
    small ones.
"""


class WordTokenizer:
    def __init__(self, max_size=None):
        self.limit, self.vocabulary = max_size, list(SPECIALS)

    def fit(self, texts):
        counts = {}
        for text in texts:
            for token in re.findall(r"\w+|[^\w\s]", text):
                counts[token] = counts.get(token, 0) + 1
        order = sorted(counts.items(), key=lambda item: (-item[1], item[0].lower(), item[0]))
        self.vocabulary = list(SPECIALS) + [token for token, _ in order]
        if self.limit is not None:
            del self.vocabulary[self.limit :]

    def encode(self, text, ends=False):
        result = [BOS] if ends else []
        for token in re.findall(r"\w+|[^\w\s]", text):
            result.append(self.vocabulary.index(token) if token in self.vocabulary else UNK)
        return result + [EOS] * ends

    def decode(self, ids):
        return " ".join(self.vocabulary[i] for i in ids if i == UNK or i >= len(SPECIALS))
