"""greedy_decode: makes the last token <EOS>.

Question: greedy_decode
Mistakes: slip
Deserves: 80 %
Fails: greedy_decode_max_len
Tell: The result ends with <EOS> although step did not predict it: leave the last token as it is.
"""


def greedy_decode(step, bos, eos, max_len):
    tokens = [bos]
    for _ in range(max_len - 1):
        tokens.append(step(list(tokens))[-1].argmax().item())
        if tokens[-1] == eos:
            break
    if len(tokens) == max_len > 1:
        tokens[-1] = eos
    return tokens
