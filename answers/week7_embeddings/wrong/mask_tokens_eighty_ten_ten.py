"""mask_tokens: follows BERT's 80/10/10, which this question does not ask for.

Question: mask_tokens
Mistakes: concept
Deserves: 55 %
Fails: mask_tokens_labels, mask_tokens_special, mask_tokens_share
Tell: Every chosen token should become the mask's id: 80/10/10 is only for the challenge at the end.
"""


def mask_tokens(ids, mask_id, special_ids, probability=0.15, generator=None):

    chosen = (torch.rand(ids.shape, generator=generator) < probability).to(ids.device)
    for special in special_ids:
        chosen = chosen & (ids != special)

    kind = torch.rand(ids.shape, generator=generator).to(ids.device)
    inputs = ids.masked_fill(chosen & (kind < 0.8), mask_id)
    other = torch.randint(6, 90, ids.shape, generator=generator).to(ids.device)
    inputs = torch.where(chosen & (kind > 0.9), other, inputs)
    return inputs, ids.masked_fill(~chosen, -100)
