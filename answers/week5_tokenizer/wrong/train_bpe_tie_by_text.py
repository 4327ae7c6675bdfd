"""train_bpe: of equally frequent pairs takes the one whose joined text is smallest.

Question: train_bpe
Mistakes: slip
Deserves: 80 %
Fails: train_bpe_hidden_greedy
Tell: Equally frequent pairs should be compared as tuples, not as joined text: (a, bd) comes before (ab, c).
"""


def train_bpe(word_counts, num_merges):
    splits = {tuple(word) + (END,): count for word, count in word_counts.items()}
    merges = []
    for _ in range(num_merges):
        counts = count_pairs(splits)
        if not counts:
            break
        best = min(counts, key=lambda pair: (-counts[pair], "".join(pair)))
        merges.append(best)
        splits = {tuple(merge_pair(symbols, best)): count for symbols, count in splits.items()}
    return merges
