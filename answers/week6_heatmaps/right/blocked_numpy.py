"""blocked: masks made in numpy.

Question: blocked
"""


def blocked_effect(predict, length, target):
    def mask_without(key=None):
        mask = np.ones((length, length), dtype=bool)
        if key is not None:
            mask[:, key] = False
        return torch.from_numpy(mask)

    free = predict(mask_without())
    p = float(free[target])
    return torch.tensor(
        [p - float(predict(mask_without(j))[target]) for j in range(length)], dtype=free.dtype
    )
