"""word_tokenizer: cuts the text by hand, one character after the other, without a regular expression.

Question: word_tokenizer
"""


def cut_into_tokens(text):
    tokens, word = [], ""
    for character in text:
        if character.isalnum() or character == "_":
            word += character
            continue
        if word:
            tokens.append(word)
            word = ""
        if not character.isspace():
            tokens.append(character)
    return tokens + [word] if word else tokens


class WordTokenizer:
    def __init__(self, max_size=None):
        self.limit = max_size
        self.fit([])

    def fit(self, texts):
        counts = Counter(token for text in texts for token in cut_into_tokens(text))
        ranked = sorted(counts.items(), key=lambda pair: (-pair[1], pair[0]))
        names = [token for token, _ in ranked]
        self.vocabulary = (list(SPECIALS) + names)[: self.limit]

    def encode(self, text, ends=False):
        number = {token: i for i, token in enumerate(self.vocabulary)}
        ids = [number.get(token, SPECIALS.index("<UNK>")) for token in cut_into_tokens(text)]
        return [2, *ids, 3] if ends else ids

    def decode(self, ids):
        hidden = ("<PAD>", "<BOS>", "<EOS>")
        tokens = [self.vocabulary[i] for i in ids]
        return " ".join(token for token in tokens if token not in hidden)
