"""greedy_decode: stops at token 3, whatever was handed over as eos.

Question: greedy_decode
Mistakes: slip
Deserves: 70 %
Fails: greedy_decode_hidden_ends
Tell: It stops at token 3: stop at the argument eos.
"""


def greedy_decode(step, bos, eos, max_len):
    ids = [bos]
    while len(ids) < max_len and ids[-1] != 3:
        ids.append(int(step(ids)[-1].argmax()))
    return ids
