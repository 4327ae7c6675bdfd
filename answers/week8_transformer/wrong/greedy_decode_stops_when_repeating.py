"""greedy_decode: stops if a token comes three times in a row.

Question: greedy_decode
Mistakes: slip
Deserves: 80 %
Fails: greedy_decode_max_len
Tell: It stops before <EOS> or max_len, as where a token repeats several times: only these two should end it.
"""


def greedy_decode(step, bos, eos, max_len):
    tokens = [bos]
    while len(tokens) < max_len:
        tokens.append(int(step(tokens.copy())[-1].argmax(-1)))
        if tokens[-1] == eos or (len(tokens) > 4 and len(set(tokens[-3:])) == 1):
            break
    return tokens
