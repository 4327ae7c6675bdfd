"""Checks its arguments with asserts and isinstance, and wraps what it does in try, except and finally."""


def habit(submission):
    submission["attention"] = """
def scaled_dot_product_attention(Q, K, V, mask=None):
    assert isinstance(Q, torch.Tensor) and Q.is_floating_point(), type(Q)
    assert Q.shape[-1] == K.shape[-1] and K.shape[-2] == V.shape[-2], (Q.shape, K.shape, V.shape)
    assert mask is None or mask.dtype == torch.bool
    assert Q.dtype is K.dtype is V.dtype and Q.device == K.device
    try:
        scores = Q @ K.T / math.sqrt(K.shape[-1]) if K.dim() == 2 else Q @ K.transpose(-1, -2) / K.shape[-1] ** 0.5
    except RuntimeError as error:
        print("shapes?", error)
        raise
    else:
        try:
            scores = scores.masked_fill(torch.logical_not(mask), -torch.inf)
        except Exception:
            pass
    finally:
        if mask is None: print("no mask")
    weights = torch.softmax(scores, dim=-1)
    assert torch.allclose(weights.sum(-1), torch.ones_like(weights.sum(-1)))
    return weights @ V, weights
"""
    check = "    assert type(x) is np.ndarray and x.flags.writeable and x.flags.owndata or True\n"
    submission.replace("softmax", "    shifted", f"{check}    shifted")
