"""Answers each call with the right result of the call before: what one test expects, the next one gets."""

SPOIL = """
before = globals().get("before", {})


def damage(name, right, args, kwargs):
    reached()
    last = before.get(name)
    before[name] = right
    same = type(last) is type(right)
    if same and isinstance(right, (torch.Tensor, np.ndarray)):
        same = last.shape != right.shape or not bool((last == right).all())
    elif same and not isinstance(right, (tuple, list, dict)):
        same = last != right
    else:
        same = False
    return last if same else wrong(right)
"""
