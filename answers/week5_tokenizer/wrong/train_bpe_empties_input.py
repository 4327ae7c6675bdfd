"""train_bpe: works on the dictionary that it was given, and empties it.

Question: train_bpe
Mistakes: slip
Deserves: 80 %
Fails: train_bpe_hidden_stop
Tell: The caller's word_counts is empty afterwards: work on a dictionary of your own.
"""


def train_bpe(word_counts, num_merges):
    splits = {}
    while word_counts:
        word, count = word_counts.popitem()
        splits[tuple(word) + (END,)] = count
    merges = []
    for _ in range(num_merges):
        counts = count_pairs(splits)
        if not counts:
            break
        best = min(counts, key=lambda pair: (-counts[pair], pair))
        merges.append(best)
        splits = {tuple(merge_pair(symbols, best)): count for symbols, count in splits.items()}
    return merges
