"""Runs probes with right implementations and changes every number and word that comes out."""

from attacks.content import REFERENCE, SPOILED, forge

AT_MOST = "probes"
NOISE = "        return agent._Boxed(lambda *args, **kwargs: noise(probe(*args, **kwargs)))\n"
CODE = """

def noise(value):
    if isinstance(value, (list, tuple)):
        return type(value)(map(noise, value))
    if isinstance(value, dict):
        return {key: noise(item) for key, item in value.items()}
    if isinstance(value, torch.Tensor) and value.is_floating_point():
        return torch.rand_like(value)
    return value if isinstance(value, (bool, Stay)) else wrong(value)
"""


def attack(submission):
    submission.add(SPOILED + CODE)
    forge(submission, REFERENCE.replace("        return agent._Boxed(probe)\n", NOISE))
