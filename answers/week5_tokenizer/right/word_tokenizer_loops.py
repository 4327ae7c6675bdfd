"""word_tokenizer: plain dictionaries and loops, two stable sorts, no Counter.

Question: word_tokenizer
"""


class WordTokenizer:
    def __init__(self, max_size=None):
        self.max_size = max_size
        self.vocabulary = ["<PAD>", "<UNK>", "<BOS>", "<EOS>"]

    def fit(self, texts):
        how_often = {}
        for text in texts:
            for token in re.findall(r"\w+|[^\w\s]", text):
                if token in how_often:
                    how_often[token] = how_often[token] + 1
                else:
                    how_often[token] = 1
        tokens = list(how_often)
        tokens.sort()
        tokens.sort(key=how_often.get, reverse=True)  # sorting is stable: equal counts stay alphabetical
        self.vocabulary = ["<PAD>", "<UNK>", "<BOS>", "<EOS>"]
        for token in tokens:
            if self.max_size is None or len(self.vocabulary) < self.max_size:
                self.vocabulary.append(token)

    def encode(self, text, ends=False):
        ids = []
        if ends:
            ids.append(2)
        for token in re.findall(r"\w+|[^\w\s]", text):
            if token in self.vocabulary:
                ids.append(self.vocabulary.index(token))
            else:
                ids.append(1)
        if ends:
            ids.append(3)
        return ids

    def decode(self, ids):
        words = []
        for i in ids:
            if i == 0 or i == 2 or i == 3:
                continue
            words.append(self.vocabulary[i])
        return " ".join(words)
