"""word_tokenizer: keeps the vocabulary in a list that belongs to the class.

Question: word_tokenizer
Mistakes: slip
Deserves: 80 %
Fails: word_tokenizer_vocabulary, word_tokenizer_hidden_refit
Tell: All tokenizers share one list, that of the class: make a new one in __init__ and in fit.
"""


class WordTokenizer:
    vocabulary = ["<PAD>", "<UNK>", "<BOS>", "<EOS>"]

    def __init__(self, max_size=None):
        self.max_size = max_size

    def fit(self, texts):
        counts = Counter(token for text in texts for token in re.findall(r"\w+|[^\w\s]", text))
        del self.vocabulary[4:]
        self.vocabulary.extend(sorted(counts, key=lambda token: (-counts[token], token)))
        if self.max_size is not None:
            del self.vocabulary[self.max_size :]

    def encode(self, text, ends=False):
        ids = {token: i for i, token in enumerate(self.vocabulary)}
        found = [ids.get(token, 1) for token in re.findall(r"\w+|[^\w\s]", text)]
        return [2] + found + [3] if ends else found

    def decode(self, ids):
        return " ".join(self.vocabulary[i] for i in ids if i not in (0, 2, 3))
