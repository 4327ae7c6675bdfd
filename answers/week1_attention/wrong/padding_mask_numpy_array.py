"""padding_mask: right values in a numpy array.

Question: padding_mask
Mistakes: slip
Deserves: 75 %
Fails: padding_mask_type
Tell: The mask is a numpy array, and the docstring asks for a torch tensor: stay in torch.
"""


def padding_mask(token_ids, pad_id):
    return np.expand_dims(token_ids.cpu().numpy() != pad_id, 1)
