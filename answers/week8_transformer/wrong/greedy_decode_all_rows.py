"""greedy_decode: one argmax over all rows.

Question: greedy_decode
Mistakes: concept
Deserves: 45 %
Fails: greedy_decode_path, greedy_decode_hidden_calls
Tell: The argmax runs over all rows at once: take the last row first.
"""


def greedy_decode(step, bos, eos, max_len):
    ids = [bos]
    while len(ids) < max_len and ids[-1] != eos:
        ids.append(int(step(ids).argmax() % step(ids).shape[-1]))
    return ids
