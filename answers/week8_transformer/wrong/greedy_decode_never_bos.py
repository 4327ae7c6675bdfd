"""greedy_decode: never writes <BOS> a second time.

Question: greedy_decode
Mistakes: slip
Deserves: 80 %
Fails: greedy_decode_max_len
Tell: Where bos is the most likely token, another one is written: bos may follow like any other token, so do not rule it
    out.
"""


def greedy_decode(step, bos, eos, max_len):
    written = [bos]
    for _ in range(1, max_len):
        scores = step(list(written))[-1].tolist()
        scores[bos] = -math.inf
        written.append(int(np.argmax(scores)))
        if written[-1] == eos:
            return written
    return written
