"""greedy_decode: max_len does not count <BOS>.

Question: greedy_decode
Mistakes: slip
Deserves: 75 %
Fails: greedy_decode_max_len
Tell: The result may be one token too long: max_len counts <BOS> as well.
"""


def greedy_decode(step, bos, eos, max_len):
    ids = [bos]
    while len(ids) <= max_len and ids[-1] != eos:
        ids.append(int(step(ids)[-1].argmax()))
    return ids
