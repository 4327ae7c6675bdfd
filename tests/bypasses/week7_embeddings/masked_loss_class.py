"""A class that was found among the subclasses."""


def below(kind):
    for other in type.__subclasses__(kind):
        yield other
        yield from below(other)


ready = next(kind for kind in below(nn.Module) if kind.__name__ == "CrossEntropyLoss")()
