"""greedy_decode: rounds the logits to float16.

Question: greedy_decode
Mistakes: slip
Deserves: 75 %
Fails: greedy_decode_max_len, greedy_decode_stop, greedy_decode_hidden_ends
Tell: Logits that are close become equal, as by half() or round(): compare them as they are.
"""


def greedy_decode(step, bos, eos, max_len):
    written = [bos]
    for _ in range(max_len - 1):
        logits = step(list(written))
        token = logits[-1].half().argmax().item()
        written.append(token)
        if token == eos:
            break
    return written
