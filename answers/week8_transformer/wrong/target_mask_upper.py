"""target_mask: takes the upper triangle.

Question: target_mask
Mistakes: concept
Deserves: 40 %
Fails: target_mask_causal, target_mask_padding, target_mask_hidden_pad
Tell: Rows are queries and should look back only: take the lower triangle, tril.
"""


def target_mask(ids, pad_id):
    length = ids.shape[1]
    causal = torch.ones(length, length, dtype=torch.bool, device=ids.device).triu()
    return causal & (ids != pad_id)[:, None, None, :]
