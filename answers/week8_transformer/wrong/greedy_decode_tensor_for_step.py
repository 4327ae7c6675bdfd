"""greedy_decode: hands a tensor to step.

Question: greedy_decode
Mistakes: slip
Deserves: 75 %
Fails: greedy_decode_hidden_calls
Tell: step gets a tensor: it should get a list of ints, so hand it the list itself.
"""


def greedy_decode(step, bos, eos, max_len):
    ids = [bos]
    while len(ids) < max_len and ids[-1] != eos:
        logits = step(torch.tensor(ids))
        ids.append(int(logits[-1].argmax()))
    return ids
