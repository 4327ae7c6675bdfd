"""train_bpe: returns each pair as a list.

Question: train_bpe
Mistakes: slip
Deserves: 75 %
Fails: train_bpe_worked, train_bpe_hidden_boundaries, train_bpe_hidden_greedy
Tell: Each merge should be a tuple of two symbols, not a list.
"""


def train_bpe(word_counts, num_merges):
    splits = {tuple(word) + (END,): count for word, count in word_counts.items()}
    merges = []
    for _ in range(num_merges):
        counts = count_pairs(splits)
        if not counts:
            break
        best = min(counts, key=lambda pair: (-counts[pair], pair))
        merges.append(list(best))
        splits = {tuple(merge_pair(symbols, best)): count for symbols, count in splits.items()}
    return merges
