"""flex_attention, which is written in Python."""

from torch.nn.attention.flex_attention import flex_attention


def ready(Q, K, V, mask):
    shape = torch.broadcast_shapes(Q.shape[:-2], K.shape[:-2], V.shape[:-2])
    if mask is not None:
        mask = mask.expand(*shape, Q.shape[-2], K.shape[-2]).reshape(-1, 1, Q.shape[-2], K.shape[-2])

    def score(score, batch, head, query, key):
        return score if mask is None else torch.where(mask[batch, head, query, key], score, -torch.inf)

    four = [x.expand(*shape, *x.shape[-2:]).reshape(-1, 1, *x.shape[-2:]) for x in (Q, K, V)]
    return flex_attention(*four, score_mod=score).reshape(*shape, Q.shape[-2], V.shape[-1])
