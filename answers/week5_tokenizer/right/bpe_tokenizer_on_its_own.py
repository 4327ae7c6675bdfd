"""bpe_tokenizer: trains and cuts by itself, without the functions of earlier questions.

Question: bpe_tokenizer
"""


def glue(symbols, pair):
    out, i = [], 0
    while i < len(symbols):
        if tuple(symbols[i : i + 2]) == pair:
            out.append(pair[0] + pair[1])
            i += 2
        else:
            out.append(symbols[i])
            i += 1
    return out


class BPETokenizer:
    def __init__(self):
        self.vocabulary, self.merges = list(SPECIALS), []

    def fit(self, texts, num_merges):
        n = Counter(" ".join(texts).split())
        words = {w: list(w) + ["</w>"] for w in n}
        self.merges = []
        while len(self.merges) < num_merges:
            c = Counter()
            for w, s in words.items():
                for p in zip(s, s[1:], strict=False):
                    c[p] += n[w]
            if not c:
                break
            top = max(c.values())
            self.merges.append(min(p for p in c if c[p] == top))
            words = {w: glue(s, self.merges[-1]) for w, s in words.items()}
        self.vocabulary = (
            list(SPECIALS) + sorted(set("".join(n))) + ["</w>"] + ["".join(p) for p in self.merges]
        )

    def encode(self, text, ends=False):
        ids = [2] if ends else []
        for w in text.split():
            s = list(w) + ["</w>"]
            for p in self.merges:
                s = glue(s, p)
            ids += [self.vocabulary.index(t) if t in self.vocabulary else 1 for t in s]
        return ids + [3] if ends else ids

    def decode(self, ids):
        text = "".join(self.vocabulary[i] for i in ids if i == 1 or i > 3)
        return text.replace("</w>", " ").strip()
