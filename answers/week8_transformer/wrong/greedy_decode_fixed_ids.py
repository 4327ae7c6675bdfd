"""greedy_decode: begins and ends with the ids of the convention, whatever was handed over.

Question: greedy_decode
Mistakes: slip
Deserves: 65 %
Fails: greedy_decode_hidden_ends
Tell: It begins with 2 and ends with 3: use the arguments bos and eos.
"""


def greedy_decode(step, bos, eos, max_len):
    ids = [2]
    while len(ids) < max_len and ids[-1] != 3:
        ids.append(int(step(ids)[-1].argmax()))
    return ids
