"""shifted_loss: classes in dimension 1, and nn.CrossEntropyLoss.

Question: shifted_loss
"""


def shifted_loss(logits, ids, pad_id):
    return nn.CrossEntropyLoss(ignore_index=pad_id)(logits.transpose(1, 2), ids[:, 1:])
