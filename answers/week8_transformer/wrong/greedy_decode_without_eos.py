"""greedy_decode: leaves <EOS> out of the result.

Question: greedy_decode
Mistakes: slip
Deserves: 70 %
Fails: greedy_decode_stop, greedy_decode_hidden_ends
Tell: <EOS> is missing at the end: it belongs to the result.
"""


def greedy_decode(step, bos, eos, max_len):
    ids = [bos]
    while len(ids) < max_len:
        token = int(step(ids)[-1].argmax())
        if token == eos:
            break
        ids.append(token)
    return ids
