"""greedy_decode: makes the last token <EOS>.

Question: greedy_decode
Mistakes: slip
Deserves: 80 %
Fails: greedy_decode_max_len
Tell: The result ends with <EOS> although step did not predict it: leave the last token as it is.
"""


def greedy_decode(step, bos, eos, max_len):
    tokens = [bos]
    while len(tokens) < max_len:
        token = int(step(list(tokens))[-1].argmax())
        tokens.append(token)
        if token == eos:
            return tokens
    return [*tokens[: max_len - 1], eos] if max_len > 1 else tokens
