"""masked_loss: position by position.

Question: masked_loss
"""


def masked_loss(logits, labels):

    total, count = logits.new_zeros(()), 0
    for i in range(labels.shape[0]):
        for j in range(labels.shape[1]):
            if labels[i, j] != -100:
                z = logits[i, j]
                total = total - (z[labels[i, j]] - torch.logsumexp(z, dim=0))
                count += 1
    return total / max(count, 1)
