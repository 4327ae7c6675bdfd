"""greedy_decode: compares with `is`.

Question: greedy_decode
Mistakes: slip
Deserves: 80 %
Fails: greedy_decode_hidden_ends
Tell: An eos above 256 is not recognised, as where ints are compared by `is`, which asks whether they are the same
    object: use ==.
"""


def greedy_decode(step, bos, eos, max_len):
    written = [bos]
    for _ in range(max_len - 1):
        logits = step(list(written))
        token = logits[-1].argmax().item()
        written.append(token)
        if token is eos:
            break
    return written
