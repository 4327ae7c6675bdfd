"""train_bpe: merges with str.replace, as many notebooks do.

Question: train_bpe
Mistakes: slip
Deserves: 65 %
Fails: train_bpe_hidden_boundaries, train_bpe_hidden_greedy
Tell: The end of one symbol is joined with the beginning of the next, for example by str.replace: merge whole
    symbols.
"""


def train_bpe(word_counts, num_merges):
    word_freqs = {" ".join(word) + " </w>": freq for word, freq in word_counts.items()}
    merges = []
    for _ in range(num_merges):
        pairs = Counter()
        for word, freq in word_freqs.items():
            symbols = word.split()
            for i in range(len(symbols) - 1):
                pairs[symbols[i], symbols[i + 1]] += freq
        if not pairs:
            break
        best = min(pairs, key=lambda pair: (-pairs[pair], pair))
        word_freqs = {word.replace(" ".join(best), "".join(best)): freq for word, freq in word_freqs.items()}
        merges.append(best)
    return merges
