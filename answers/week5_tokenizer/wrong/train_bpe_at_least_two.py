"""train_bpe: stops at pairs that occur once.

Question: train_bpe
Mistakes: slip
Deserves: 80 %
Fails: train_bpe_hidden_stop
Tell: A pair that occurs once is a pair too: stop only when there is none.
"""


def train_bpe(word_counts, num_merges):
    splits = {tuple(word) + (END,): count for word, count in word_counts.items()}
    merges = []
    for _ in range(num_merges):
        counts = count_pairs(splits)
        if not counts or max(counts.values()) < 2:
            break
        best = min(counts, key=lambda pair: (-counts[pair], pair))
        merges.append(best)
        splits = {tuple(merge_pair(symbols, best)): count for symbols, count in splits.items()}
    return merges
