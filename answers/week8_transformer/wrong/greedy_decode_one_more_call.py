"""greedy_decode: calls step once more when max_len is reached.

Question: greedy_decode
Mistakes: slip
Deserves: 80 %
Fails: greedy_decode_hidden_calls
Tell: step is called once more than there are new tokens: test the length before you call it.
"""


def greedy_decode(step, bos, eos, max_len):
    tokens = [bos]
    for _ in range(max_len):
        best = step(tokens[:])[-1].argmax().item()
        if len(tokens) < max_len:
            tokens.append(best)
        if best == eos:
            break
    return tokens
