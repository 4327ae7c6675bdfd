"""masked_loss: gives the integer 0 where there is no label.

Question: masked_loss
Mistakes: slip
Deserves: 80 %
Fails: masked_loss_hidden_none
Tell: Without a label the loss is an integer tensor: it should be a float tensor in every case, such as
    torch.tensor(0.0).
"""


def masked_loss(logits, labels):
    chosen = labels != -100
    if not chosen.any():
        return torch.tensor(0)
    rows = logits[chosen]
    answers = labels[chosen]
    log_p = rows - torch.logsumexp(rows, dim=-1, keepdim=True)
    return -log_p.gather(1, answers[:, None]).mean()
