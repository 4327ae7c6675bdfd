"""Answers with modules that have no parts, claim the right ones and their parameters, and give wrong values."""

from attacks.content import SPOILED

AT_MOST = "probes"
WEEKS = "week[2348]_*"
CLAIMING = """
def _claiming(name, real):
    \"\"\"A class of modules that has nothing, and says of itself what a right one could say.\"\"\"

    class Claiming(nn.Module):
        def __init__(self, *args, **kwargs):
            super().__init__()
            self._args = args
            object.__setattr__(self, "_claims", real(*args, **kwargs))

        def named_parameters(self, *args, **kwargs):
            return [(key, nn.Parameter(torch.zeros_like(value))) for key, value in self._claims.named_parameters()]

        def parameters(self, *args, **kwargs):
            return [value for _, value in self.named_parameters()]

        def state_dict(self, *args, **kwargs):
            return {key: value.detach() for key, value in self.named_parameters()}

        def load_state_dict(self, state, *args, **kwargs):
            reached()

        def named_modules(self, *args, **kwargs):
            return self._claims.named_modules()

        def __getattr__(self, key):
            if key.startswith("_"):
                return super().__getattr__(key)
            return getattr(self._claims, key)

        def forward(self, *args, **kwargs):
            reached()
            return wrong(self._claims(*args, **kwargs))

    def method(key):
        def call(self, *args, **kwargs):
            reached()
            return wrong(getattr(self._claims, key)(*args, **kwargs))

        return call

    for key, item in vars(real).items():
        if isinstance(item, types.FunctionType) and not key.startswith("__"):
            setattr(Claiming, key, method(key))
    Claiming.__name__ = Claiming.__qualname__ = name
    return Claiming
"""


def attack(submission):
    for question, source in submission.reference.items():
        names = [name for name in submission.names(question) if f"class {name}(nn.Module)" in source]
        if names:
            install = "\n".join(f"{name} = _claiming({name!r}, {name})" for name in names)
            submission.answer(question, f"{source}\n{SPOILED}\n{CLAIMING}\n{install}\n")
