"""train_bpe: glues the end mark to the last letter.

Question: train_bpe
Mistakes: slip
Deserves: 60 %
Fails: train_bpe_worked, train_bpe_hidden_boundaries, train_bpe_hidden_greedy
Tell: The end mark should begin as a symbol of its own: (h, u, g, </w>), not (h, u, g</w>).
"""


def train_bpe(word_counts, num_merges):
    splits = {tuple(word[:-1]) + (word[-1] + END,): count for word, count in word_counts.items()}
    merges = []
    for _ in range(num_merges):
        counts = count_pairs(splits)
        if not counts:
            break
        best = min(counts, key=lambda pair: (-counts[pair], pair))
        merges.append(best)
        splits = {tuple(merge_pair(symbols, best)): count for symbols, count in splits.items()}
    return merges
