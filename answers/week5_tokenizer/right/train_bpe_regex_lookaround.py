"""train_bpe: the method of the paper: strings with spaces, an escaped pattern with lookarounds.

Question: train_bpe
"""


def train_bpe(word_counts, num_merges):
    vocab = {" ".join(word) + " </w>": n for word, n in word_counts.items()}
    merges = []
    for _ in range(num_merges):
        pairs = defaultdict(int)
        for word, n in vocab.items():
            symbols = word.split()
            for i in range(len(symbols) - 1):
                pairs[symbols[i], symbols[i + 1]] += n
        if len(pairs) == 0:
            break
        best = sorted(pairs.items(), key=lambda item: (-item[1], item[0]))[0][0]
        pattern = re.compile(r"(?<!\S)" + re.escape(" ".join(best)) + r"(?!\S)")
        joined = "".join(best).replace("\\", r"\\")  # a backslash means something in a replacement
        vocab = {pattern.sub(joined, word): n for word, n in vocab.items()}
        merges.append(best)
    return merges
