"""greedy_decode: reads the first row of the logits.

Question: greedy_decode
Fails: greedy_decode_path, greedy_decode_max_len, greedy_decode_stop, greedy_decode_hidden_calls,
    greedy_decode_hidden_edges
Tell: The first row predicts a token that is known already: take the last row.
"""


def greedy_decode(step, bos, eos, max_len):
    ids = [bos]
    while len(ids) < max_len and ids[-1] != eos:
        ids.append(int(step(ids)[0].argmax()))
    return ids
