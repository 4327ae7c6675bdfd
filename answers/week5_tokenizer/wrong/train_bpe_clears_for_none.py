"""train_bpe: empties the given dict for 0 merges.

Question: train_bpe
Mistakes: slip
Deserves: 85 %
Fails: train_bpe_hidden_stop
Tell: The dict that is given is changed, also where no merge is wanted: work on a copy.
"""


def train_bpe(word_counts, num_merges):
    if num_merges == 0:
        word_counts.clear()
    words = [[*word, END] for word in word_counts]
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
