"""greedy_decode: typed, with no_grad and copies of the list.

Question: greedy_decode
"""


def greedy_decode(step, bos: int, eos: int, max_len: int) -> list[int]:
    """Greedy autoregressive decoding."""
    generated: list[int] = [bos]
    with torch.no_grad():
        while len(generated) < max_len:
            logits = step(list(generated))
            next_token = torch.argmax(logits[-1, :], dim=-1).item()
            generated.append(int(next_token))
            if next_token == eos:
                break
    return generated
