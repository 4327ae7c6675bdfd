"""greedy_decode: compares with `is`.

Question: greedy_decode
Mistakes: slip
Deserves: 80 %
Fails: greedy_decode_hidden_ends
Tell: `is` asks whether two ints are the same object, which holds for small ones only: compare with ==.
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
