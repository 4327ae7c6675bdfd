"""masked_loss: averages within each sentence, then over the sentences.

Question: masked_loss
Mistakes: slip
Deserves: 70 %
Fails: masked_loss_chosen
Tell: A mean of the sentences' means gives a gap more weight if its sentence has few gaps: take one mean
    over the batch.
"""


def masked_loss(logits, labels):

    losses = []
    for z, y in zip(logits, labels, strict=True):
        keep = y != -100
        if keep.any():
            log_p = torch.log_softmax(z[keep], dim=-1)
            losses.append(-log_p.gather(1, y[keep].unsqueeze(1)).mean())
    return torch.stack(losses).mean() if losses else logits.sum() * 0
