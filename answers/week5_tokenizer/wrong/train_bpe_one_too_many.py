"""train_bpe: learns one merge too many.

Question: train_bpe
Mistakes: slip
Deserves: 75 %
Fails: train_bpe_worked, train_bpe_hidden_stop
Tell: num_merges merges are asked for; this list has one more.
"""


def train_bpe(word_counts, num_merges):
    splits = {tuple(word) + (END,): count for word, count in word_counts.items()}
    merges = []
    for _ in range(num_merges + 1):
        counts = count_pairs(splits)
        if not counts:
            break
        best = min(counts, key=lambda pair: (-counts[pair], pair))
        merges.append(best)
        splits = {tuple(merge_pair(symbols, best)): count for symbols, count in splits.items()}
    return merges
