"""functools.partial of the loss."""

import functools

ready = functools.partial(torch.nn.functional.cross_entropy, ignore_index=-100)


def masked_loss(logits, labels):
    if not (labels != -100).any():
        return logits.sum() * 0
    rows, wanted = logits.flatten(0, 1), labels.flatten()
    return ready(rows, wanted)
