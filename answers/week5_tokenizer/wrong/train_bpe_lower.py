"""train_bpe: puts the words into lower case.

Question: train_bpe
Mistakes: slip
Deserves: 85 %
Fails: train_bpe_hidden_boundaries
Tell: Words should be taken as they are: capital and small letters are different symbols.
"""


def train_bpe(word_counts, num_merges):
    words = [[*word.lower(), END] for word in word_counts]
    numbers = list(word_counts.values())
    merges = []
    while len(merges) < num_merges:
        counts = Counter()
        for symbols, number in zip(words, numbers, strict=True):
            for pair in zip(symbols, symbols[1:], strict=False):
                counts[pair] += number
        if not counts:
            break
        most = max(counts.values())
        best = min(pair for pair in counts if counts[pair] == most)
        merges.append(best)
        words = [merge_pair(symbols, best) for symbols in words]
    return merges
