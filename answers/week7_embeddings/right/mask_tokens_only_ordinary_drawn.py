"""mask_tokens: draws numbers for the ordinary tokens only.

Question: mask_tokens
"""


def mask_tokens(ids, mask_id, special_ids, probability=0.15, generator=None):

    ordinary = torch.ones_like(ids, dtype=torch.bool)
    for special in special_ids:
        ordinary[ids == special] = False
    chosen = torch.zeros_like(ordinary)
    n = int(ordinary.sum())
    chosen[ordinary] = (torch.rand(n, generator=generator) < probability).to(ids.device)
    inputs = ids * ~chosen + mask_id * chosen
    labels = ids * chosen - 100 * (~chosen).long()
    return inputs, labels
