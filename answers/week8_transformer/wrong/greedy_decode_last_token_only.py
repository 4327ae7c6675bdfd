"""greedy_decode: hands over the last token alone.

Question: greedy_decode
Fails: greedy_decode_path, greedy_decode_max_len, greedy_decode_stop, greedy_decode_hidden_calls,
    greedy_decode_hidden_edges
Tell: step sees only the last token: hand it all tokens so far.
"""


def greedy_decode(step, bos, eos, max_len):
    ids = [bos]
    while len(ids) < max_len and ids[-1] != eos:
        ids.append(int(step(ids[-1:])[-1].argmax()))
    return ids
