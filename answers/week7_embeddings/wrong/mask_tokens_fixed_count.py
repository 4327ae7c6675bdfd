"""mask_tokens: hides the same number of tokens in every sentence.

Question: mask_tokens
Mistakes: concept
Deserves: 60 %
Fails: mask_tokens_share, mask_tokens_hidden_independent
Tell: Every sentence has the same number of gaps: decide for each token on its own.
"""


def mask_tokens(ids, mask_id, special_ids, probability=0.15, generator=None):

    numbers = torch.rand(ids.shape, generator=generator).to(ids.device)
    for special in special_ids:
        numbers = numbers.masked_fill(ids == special, 2.0)
    ordinary = (numbers < 2).sum(dim=1, keepdim=True)
    count = (ordinary * probability).round()
    chosen = (numbers.argsort(dim=1).argsort(dim=1) < count) & (numbers < 2)
    return ids.masked_fill(chosen, mask_id), ids.masked_fill(~chosen, -100)
