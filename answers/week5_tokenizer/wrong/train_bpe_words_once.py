"""train_bpe: lets every word count once.

Question: train_bpe
Mistakes: slip
Deserves: 60 %
Fails: train_bpe_worked, train_bpe_hidden_boundaries, train_bpe_hidden_greedy
Tell: A word should count as often as word_counts says: the counts have to reach the pairs.
"""


def train_bpe(word_counts, num_merges):
    splits = {tuple(word) + (END,): 1 for word in word_counts}
    merges = []
    for _ in range(num_merges):
        counts = count_pairs(splits)
        if not counts:
            break
        best = min(counts, key=lambda pair: (-counts[pair], pair))
        merges.append(best)
        splits = {tuple(merge_pair(symbols, best)): count for symbols, count in splits.items()}
    return merges
