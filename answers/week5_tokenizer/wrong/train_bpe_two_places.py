"""train_bpe: merges only the first two places of a word.

Question: train_bpe
Mistakes: slip
Deserves: 85 %
Fails: train_bpe_hidden_greedy
Tell: A merge should join its pair at every place of a word, also at the third one.
"""


def train_bpe(word_counts, num_merges):
    words = [[*word, END] for word in word_counts]
    numbers = list(word_counts.values())
    merges = []
    while len(merges) < num_merges:
        counts = Counter()
        for symbols, number in zip(words, numbers, strict=True):
            for pair in zip(symbols, symbols[1:], strict=False):
                counts[pair] += number
        if not counts:
            break
        most = max(counts.values())
        best = min(pair for pair in counts if counts[pair] == most)
        merges.append(best)
        after = []
        for symbols in words:
            i, done = 0, 0
            symbols = list(symbols)
            while i + 1 < len(symbols):
                if done < 2 and (symbols[i], symbols[i + 1]) == best:
                    symbols[i : i + 2] = [best[0] + best[1]]
                    done += 1
                i += 1
            after.append(symbols)
        words = after
    return merges
