"""train_bpe: leaves out the end mark.

Question: train_bpe
Mistakes: slip
Deserves: 60 %
Fails: train_bpe_worked, train_bpe_hidden_boundaries, train_bpe_hidden_greedy
Tell: Each word should end with the symbol </w>: without it no token can say that a word ends.
"""


def train_bpe(word_counts, num_merges):
    splits = {tuple(word): count for word, count in word_counts.items()}
    merges = []
    for _ in range(num_merges):
        counts = count_pairs(splits)
        if not counts:
            break
        best = min(counts, key=lambda pair: (-counts[pair], pair))
        merges.append(best)
        splits = {tuple(merge_pair(symbols, best)): count for symbols, count in splits.items()}
    return merges
