"""greedy_decode: asks step once more after <EOS>, and cuts off what comes then.

Question: greedy_decode
Mistakes: slip
Deserves: 80 %
Fails: greedy_decode_stop
Tell: step is called up to the maximum length, even after eos: leave the loop as soon as the new token is eos.
"""


def greedy_decode(step, bos, eos, max_len):
    ids = [bos]
    for _ in range(max_len - 1):
        ids.append(int(step(ids)[-1].argmax()))
    return ids[: ids.index(eos) + 1] if eos in ids else ids
