"""greedy_decode: does not look for <EOS>.

Question: greedy_decode
Mistakes: concept
Deserves: 50 %
Fails: greedy_decode_stop, greedy_decode_hidden_ends
Tell: It writes on after <EOS>: stop when the new token is eos.
"""


def greedy_decode(step, bos, eos, max_len):
    ids = [bos]
    while len(ids) < max_len:
        ids.append(int(step(ids)[-1].argmax()))
    return ids
