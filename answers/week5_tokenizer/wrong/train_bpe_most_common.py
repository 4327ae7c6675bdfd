"""train_bpe: takes the first of Counter.most_common, which of equals is the one that was met first.

Question: train_bpe
Mistakes: slip
Deserves: 75 %
Fails: train_bpe_long, train_bpe_hidden_greedy
Tell: Of equally frequent pairs, the one that was met first is taken, for example by most_common; take the smallest.
"""


def train_bpe(word_counts, num_merges):
    splits = {tuple(word) + (END,): count for word, count in word_counts.items()}
    merges = []
    for _ in range(num_merges):
        counts = Counter(count_pairs(splits))
        if not counts:
            break
        best = counts.most_common(1)[0][0]
        merges.append(best)
        splits = {tuple(merge_pair(symbols, best)): count for symbols, count in splits.items()}
    return merges
