"""greedy_decode: shows step <BOS> and the last 31 tokens.

Question: greedy_decode
Mistakes: slip
Deserves: 80 %
Fails: greedy_decode_hidden_calls
Tell: step gets 32 tokens at most: hand it all tokens so far.
"""


def greedy_decode(step, bos, eos, max_len):
    written = [bos]
    for _ in range(max_len - 1):
        logits = step([bos] + written[1:][-31:])
        token = logits[-1].argmax().item()
        written.append(token)
        if token == eos:
            break
    return written
