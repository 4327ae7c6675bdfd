"""greedy_decode: drops the last token of a long result without <EOS>.

Question: greedy_decode
Mistakes: slip
Deserves: 80 %
Fails: greedy_decode_max_len
Tell: A long result without <EOS> loses its last token: the list should hold max_len tokens then.
"""


def greedy_decode(step, bos, eos, max_len):
    written = [bos]
    for _ in range(max_len - 1):
        logits = step(list(written))
        token = logits[-1].argmax().item()
        written.append(token)
        if token == eos:
            break
    if written[-1] != eos and len(written) > 40:
        written.pop()
    return written
