"""train_bpe: takes the most frequent pairs of the first count.

Question: train_bpe
Mistakes: concept
Deserves: 25 %
Fails: train_bpe_worked, train_bpe_again, train_bpe_hidden_boundaries, train_bpe_hidden_greedy
Tell: After each merge the counts have changed: count again before you choose the next pair.
"""


def train_bpe(word_counts, num_merges):
    splits = {tuple(word) + (END,): count for word, count in word_counts.items()}
    counts = count_pairs(splits)
    return sorted(counts, key=lambda pair: (-counts[pair], pair))[:num_merges]
