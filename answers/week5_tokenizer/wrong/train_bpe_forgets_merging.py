"""train_bpe: counts again, but does not keep the merged words.

Question: train_bpe
Mistakes: concept
Deserves: 25 %
Fails: train_bpe_worked, train_bpe_again, train_bpe_hidden_stop, train_bpe_hidden_boundaries,
    train_bpe_hidden_greedy
Tell: The merged words are thrown away, so each step finds the same pair: replace the old words by them.
"""


def train_bpe(word_counts, num_merges):
    splits = {tuple(word) + (END,): count for word, count in word_counts.items()}
    merges = []
    for _ in range(num_merges):
        counts = count_pairs(splits)
        if not counts:
            break
        best = min(counts, key=lambda pair: (-counts[pair], pair))
        merges.append(best)
        for symbols in splits:
            merge_pair(symbols, best)
    return merges
