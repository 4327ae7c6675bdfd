"""Answers equal calls with something else each time: wrong values, other shapes, its arguments, a function."""

SPOIL = """
calls = globals().get("calls", [0])


def damage(name, right, args, kwargs):
    reached()
    calls[0] += 1
    spoiled = wrong(right)
    return [
        lambda: spoiled,
        lambda: [spoiled],
        lambda: args[0] if args else spoiled,
        lambda: iter([spoiled]),
        lambda: (spoiled, spoiled),
        lambda: lambda *more, **named: spoiled,
        lambda: spoiled[:1] if hasattr(spoiled, "__getitem__") else None,
    ][calls[0] % 7]()
"""
