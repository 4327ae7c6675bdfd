"""Remembers every argument of every test so far and answers with the last one of the right form."""

SPOIL = """
seen = globals().get("seen", [])


def form(value):
    if isinstance(value, (torch.Tensor, np.ndarray)):
        return type(value), value.dtype, tuple(value.shape)
    if isinstance(value, (list, tuple)):
        return type(value), len(value), tuple(map(form, value))
    return type(value)


def equal(one, other):
    if isinstance(one, torch.Tensor):
        return torch.allclose(one.double(), other.double(), atol=1e-3, equal_nan=True)
    if isinstance(one, np.ndarray):
        return np.allclose(one, other, atol=1e-3)
    if isinstance(one, (list, tuple)):
        return all(map(equal, one, other))
    return one == other


def keep(value):
    seen.append(value)
    if isinstance(value, (list, tuple)):
        for item in value[:50]:
            keep(item)


def damage(name, right, args, kwargs):
    reached()
    for value in (*args, *kwargs.values()):
        keep(value)
    # What came by chance would be right is no theft.
    found = [value for value in seen[-2000:] if form(value) == form(right) and not equal(value, right)]
    return found[-1] if found else wrong(right)
"""
