"""greedy_decode: always writes at least one token.

Question: greedy_decode
Mistakes: slip
Deserves: 80 %
Fails: greedy_decode_max_len
Tell: With max_len 1 there is no room for a second token: test the length before asking step.
"""


def greedy_decode(step, bos, eos, max_len):
    ids = [bos]
    while True:
        ids.append(int(step(ids)[-1].argmax()))
        if ids[-1] == eos or len(ids) >= max_len:
            return ids
