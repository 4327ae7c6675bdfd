"""padding_mask: takes every id above pad_id for a real token.

Question: padding_mask
Mistakes: slip
Deserves: 65 %
Fails: padding_mask_values, padding_mask_hidden_pad_id
Tell: Tokens with an id below pad_id count as padding: only pad_id itself is padding, so compare with !=.
"""


def padding_mask(token_ids, pad_id):
    return (token_ids > pad_id).unsqueeze(1)
