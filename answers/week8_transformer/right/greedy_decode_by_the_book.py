"""greedy_decode: a while loop with both conditions.

Question: greedy_decode
"""


def greedy_decode(step, bos, eos, max_len):
    ids = [bos]
    while len(ids) < max_len:
        logits = step(ids)
        token = int(torch.argmax(logits[-1]))
        ids.append(token)
        if token == eos:
            break
    return ids
