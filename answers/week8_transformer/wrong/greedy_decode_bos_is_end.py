"""greedy_decode: also stops at <BOS>.

Question: greedy_decode
Mistakes: slip
Deserves: 80 %
Fails: greedy_decode_max_len
Tell: A second <BOS> ends the sequence here: only eos should.
"""


def greedy_decode(step, bos, eos, max_len):
    tokens = [bos]
    for _ in range(max_len - 1):
        token = int(step(list(tokens))[-1].argmax())
        tokens.append(token)
        if token in (bos, eos):
            break
    return tokens
