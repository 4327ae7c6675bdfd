"""train_bpe: returns the joined tokens instead of the pairs.

Question: train_bpe
Mistakes: slip
Deserves: 60 %
Fails: train_bpe_worked, train_bpe_hidden_boundaries, train_bpe_hidden_greedy
Tell: The result should be a list of pairs (left, right): the joined text does not say where the parts meet.
"""


def train_bpe(word_counts, num_merges):
    splits = {tuple(word) + (END,): count for word, count in word_counts.items()}
    merges = []
    for _ in range(num_merges):
        counts = count_pairs(splits)
        if not counts:
            break
        best = min(counts, key=lambda pair: (-counts[pair], pair))
        merges.append(best[0] + best[1])
        splits = {tuple(merge_pair(symbols, best)): count for symbols, count in splits.items()}
    return merges
