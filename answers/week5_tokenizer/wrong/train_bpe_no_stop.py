"""train_bpe: goes on when no pair is left.

Question: train_bpe
Mistakes: slip
Deserves: 75 %
Fails: train_bpe_hidden_stop
Tell: When no pair is left, min or max of nothing raises ValueError: stop before.
"""


def train_bpe(word_counts, num_merges):
    splits = {tuple(word) + (END,): count for word, count in word_counts.items()}
    merges = []
    for _ in range(num_merges):
        counts = count_pairs(splits)
        best = min(counts, key=lambda pair: (-counts[pair], pair))
        merges.append(best)
        splits = {tuple(merge_pair(symbols, best)): count for symbols, count in splits.items()}
    return merges
