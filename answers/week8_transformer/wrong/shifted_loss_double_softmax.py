"""shifted_loss: a softmax before cross_entropy.

Question: shifted_loss
Fails: shifted_loss_by_hand, shifted_loss_padding, shifted_loss_hidden_pad, shifted_loss_hidden_large,
    shifted_loss_hidden_gradient
Tell: cross_entropy contains the softmax already: hand it the logits.
"""


def shifted_loss(logits, ids, pad_id):
    answers = ids[:, 1:]
    return F.cross_entropy(
        torch.softmax(logits, dim=-1).flatten(0, 1), answers.flatten(), ignore_index=pad_id
    )
