"""shifted_loss: the loss has a dimension.

Question: shifted_loss
Mistakes: slip
Deserves: 85 %
Fails: shifted_loss_hidden_gradient
Tell: The loss has shape (1,): leave out the last dimension, so that it is a tensor without dimensions.
"""


def shifted_loss(logits, ids, pad_id):
    answers = ids[:, 1:]
    logs = torch.log_softmax(logits, dim=-1).gather(-1, answers[..., None])
    counted = (answers != pad_id)[..., None]
    return -(logs * counted).sum(dim=(0, 1)) / counted.sum()
