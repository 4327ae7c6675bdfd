"""shifted_loss: flattened, with F.cross_entropy.

Question: shifted_loss
"""


def shifted_loss(logits, ids, pad_id):
    answers = ids[:, 1:]
    vocab = logits.shape[-1]
    return F.cross_entropy(logits.reshape(-1, vocab), answers.reshape(-1), ignore_index=pad_id)
