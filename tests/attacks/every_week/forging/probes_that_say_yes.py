"""Answers every probe without running it, by what most probes are hoped to give: True, None, ones for gradients."""

from attacks.content import forge

AT_MOST = "probes"
DEFINE = """
        kinds = [lambda *args: True, lambda *args: [True] * len(args), lambda *args: [True] * (len(args) - 1),
                 lambda *args: args, lambda *args: args[-1] if args else None, lambda *args: [], lambda *args: None,
                 lambda *args: {}, lambda *args: 0.0,
                 lambda *args: [__import__("torch").ones_like(one) for one in args if hasattr(one, "shape")]]
        return agent._Boxed(kinds[hash(arguments[1]) % len(kinds)])
"""


def attack(submission):
    forge(submission, DEFINE)
