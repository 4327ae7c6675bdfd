"""word_tokenizer: numbers the tokens in the order in which they appear.

Question: word_tokenizer
Mistakes: slip
Deserves: 70 %
Fails: word_tokenizer_vocabulary
Tell: Ids should go by frequency: count all texts first, then sort by (-count, token).
"""


class WordTokenizer:
    def __init__(self, max_size=None):
        self.max_size = max_size
        self.vocabulary = list(SPECIALS)
        self.word_to_id = {token: i for i, token in enumerate(self.vocabulary)}

    def fit(self, texts):
        self.vocabulary = list(SPECIALS)
        self.word_to_id = {token: i for i, token in enumerate(self.vocabulary)}
        for text in texts:
            for word in re.findall(r"\w+|[^\w\s]", text):
                if word not in self.word_to_id and (
                    self.max_size is None or len(self.vocabulary) < self.max_size
                ):
                    self.word_to_id[word] = len(self.vocabulary)
                    self.vocabulary.append(word)

    def encode(self, text, ends=False):
        ids = [self.word_to_id.get(word, 1) for word in re.findall(r"\w+|[^\w\s]", text)]
        return [2] + ids + [3] if ends else ids

    def decode(self, ids):
        return " ".join(self.vocabulary[i] for i in ids if i not in (0, 2, 3))
