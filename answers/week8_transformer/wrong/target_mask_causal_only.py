"""target_mask: forgets the padding.

Question: target_mask
Mistakes: concept
Deserves: 50 %
Fails: target_mask_padding, target_mask_hidden_pad
Tell: Positions may look at padding: join the causal mask with ids != pad_id.
"""


def target_mask(ids, pad_id):
    length = ids.shape[1]
    causal = torch.ones(length, length, dtype=torch.bool, device=ids.device).tril()
    return causal.expand(ids.shape[0], 1, length, length)
