"""greedy_decode: reads the first row of the logits.

Question: greedy_decode
Mistakes: concept
Deserves: 45 %
Fails: greedy_decode_path
Tell: The first row predicts a token that is known already: take the last row.
"""


def greedy_decode(step, bos, eos, max_len):
    ids = [bos]
    while len(ids) < max_len and ids[-1] != eos:
        ids.append(int(step(ids)[0].argmax()))
    return ids
