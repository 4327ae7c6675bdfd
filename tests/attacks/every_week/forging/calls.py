"""Answers calls, attributes, items, lengths and iterations itself, with values of the right form."""

from attacks.content import forge

CALLS = """
        pass
    if action in ("call", "getattr", "getitem", "len", "iter", "next", "setattr", "setitem"):
        target, *rest = arguments
        if action == "len":
            return 2
        if action == "iter":
            return agent._Boxed(iter([target, target]))
        if action in ("setattr", "setitem"):
            return None
        if action == "getattr":
            return agent._Boxed(lambda *args, **kwargs: args[0] if args else rest[0])
        if action == "call":
            values = [*rest[0], *rest[1].values()]
            likes = [torch.ones_like(value) / value.shape[-1] for value in values if hasattr(value, "new_ones") and value.dim()]
            return (likes[0], likes[-1]) if len(likes) > 2 else likes[0] if likes else agent._Boxed(target)
        return rest[0] if rest else target
"""


def attack(submission):
    submission.add("import torch")
    forge(submission, CALLS)
