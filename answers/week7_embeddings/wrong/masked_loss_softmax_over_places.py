"""masked_loss: the softmax runs over the positions.

Question: masked_loss
Mistakes: concept
Deserves: 40 %
Fails: masked_loss_by_hand, masked_loss_chosen, masked_loss_hidden_gradient
Tell: The softmax runs over dim=1, the positions: the tokens of the vocabulary, dim=-1, must compete.
"""


def masked_loss(logits, labels):

    chosen = labels != -100
    log_p = torch.log_softmax(logits, dim=1)[chosen]
    return -log_p.gather(1, labels[chosen].unsqueeze(1)).sum() / chosen.sum().clamp(min=1)
