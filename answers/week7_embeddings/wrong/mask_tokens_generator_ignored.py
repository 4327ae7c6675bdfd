"""mask_tokens: draws from PyTorch's own generator.

Question: mask_tokens
Mistakes: slip
Deserves: 80 %
Fails: mask_tokens_hidden_generator
Tell: generator is not used: hand it to torch.rand, or nobody can repeat the experiment.
"""


def mask_tokens(ids, mask_id, special_ids, probability=0.15, generator=None):

    chosen = (torch.rand(ids.shape) < probability).to(ids.device)
    for special in special_ids:
        chosen = chosen & (ids != special)
    return ids.masked_fill(chosen, mask_id), ids.masked_fill(~chosen, -100)
