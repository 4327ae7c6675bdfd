"""train_bpe: keeps an index from pair to words, and corrects only what a merge has changed.

Question: train_bpe
"""


def train_bpe(word_counts, num_merges):
    words = [[[*w, "</w>"], n] for w, n in word_counts.items()]
    counts, where = Counter(), defaultdict(set)

    def add(number, sign):
        symbols, n = words[number]
        for pair in zip(symbols, symbols[1:], strict=False):
            counts[pair] += sign * n
            if sign > 0:
                where[pair].add(number)

    for number in range(len(words)):
        add(number, 1)
    merges = []
    while len(merges) < num_merges:
        alive = [pair for pair in counts if counts[pair] > 0]
        if not alive:
            break
        best = min(alive, key=lambda pair: (-counts[pair], pair))
        merges.append(best)
        for number in list(where[best]):
            add(number, -1)
            words[number][0] = merge_pair(words[number][0], best)
            add(number, 1)
    return merges
