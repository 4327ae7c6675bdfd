"""shifted_loss: a loop over all positions.

Question: shifted_loss
"""


def shifted_loss(logits, ids, pad_id):
    total, count = 0.0, 0
    for b in range(ids.shape[0]):
        for t in range(ids.shape[1] - 1):
            answer = int(ids[b, t + 1])
            if answer == pad_id:
                continue
            total = total - F.log_softmax(logits[b, t], dim=0)[answer]
            count += 1
    return total / count
