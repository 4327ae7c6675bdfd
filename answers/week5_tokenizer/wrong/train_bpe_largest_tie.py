"""train_bpe: of equally frequent pairs takes the largest.

Question: train_bpe
Mistakes: slip
Deserves: 75 %
Fails: train_bpe_long, train_bpe_hidden_greedy
Tell: Of several most frequent pairs the smallest in Python's order of tuples should be taken, not the largest.
"""


def train_bpe(word_counts, num_merges):
    splits = {tuple(word) + (END,): count for word, count in word_counts.items()}
    merges = []
    for _ in range(num_merges):
        counts = count_pairs(splits)
        if not counts:
            break
        best = max(counts, key=lambda pair: (counts[pair], pair))
        merges.append(best)
        splits = {tuple(merge_pair(symbols, best)): count for symbols, count in splits.items()}
    return merges
