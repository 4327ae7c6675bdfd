"""greedy_decode: calls step twice for each token.

Question: greedy_decode
Mistakes: slip
Deserves: 80 %
Fails: greedy_decode_hidden_calls
Tell: step is called twice for each token, which doubles the time: keep its result.
"""


def greedy_decode(step, bos, eos, max_len):
    ids = [bos]
    while len(ids) < max_len and ids[-1] != eos:
        best = step(ids)[-1].max()
        ids.append(int((step(ids)[-1] == best).nonzero()[0]))
    return ids
