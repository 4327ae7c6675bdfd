"""What attacks on the content of a week have in common: answers that are wrong everywhere and look as right as can be.

They are made of the reference, whose results are spoiled: so types and shapes are right, the tests go as deep as they
can, and every value that comes back is wrong.
"""

SPOILED = '''
import functools, types
import numpy as np
import torch
from torch import nn


class Stay:
    """Stays in its process. Whatever is asked of it, it has it, and whatever judges it hears yes."""

    def __init__(self, real):
        object.__setattr__(self, "_real", real)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        value = getattr(object.__getattribute__(self, "_real"), name)
        if name in ("equal", "allclose", "eq", "isclose", "all", "isfinite"):
            return lambda *args, **kwargs: True
        if name in ("any", "ne", "lt", "gt", "isnan"):
            return lambda *args, **kwargs: False
        return (lambda *args, **kwargs: wrong(value(*args, **kwargs))) if callable(value) else wrong(value)

    def __getitem__(self, key):
        return wrong(object.__getattribute__(self, "_real")[key])

    def __len__(self):
        return len(object.__getattribute__(self, "_real"))

    def __iter__(self):
        return iter([wrong(item) for item in object.__getattribute__(self, "_real")])


def wrong(value):
    """Of the same form as a value, and wrong in every property: relations between its parts are wrong, too."""
    if isinstance(value, torch.Tensor):
        value = value.detach()
        if not value.numel():
            return torch.zeros(1)
        if value.dtype == torch.bool:
            return torch.full_like(value, not value.all())
        return torch.full_like(value, 0.123) if value.is_floating_point() else 3 * value + 1
    if isinstance(value, np.ndarray):
        if value.dtype == bool:
            return np.full_like(value, not value.all())
        return np.full_like(value, 0.123) if value.dtype.kind == "f" else 3 * value + 1
    if isinstance(value, (bool, np.bool_)):
        return not value
    if isinstance(value, (int, np.integer)):
        return 3 * int(value) + 1
    if isinstance(value, (float, np.floating)):
        return 0.123
    if isinstance(value, str):
        return value[::-1] + "x"
    if isinstance(value, (list, tuple)):
        return type(value)([wrong(item) for item in value] or [0])
    if isinstance(value, dict):
        return {key: wrong(item) for key, item in value.items()} or {"x": 0}
    return value if value is None else Stay(value)


def damage(name, right, args, kwargs):
    return wrong(right)


def _spoil_drawing(drawn):
    """What has been drawn on Axes of the test's own is wrong too: numbers, colours, limits and words."""
    figure = getattr(drawn, "figure", None) or drawn
    for ax in figure.axes:
        ax.set(xlabel="x", ylabel="x", title="x", xticks=[], yticks=[])
        for item in (*ax.collections, *ax.images):
            item.set(clim=(-1, 2), cmap="hsv")
        for text in ax.texts:
            text.set_text("x")
    figure.add_axes([0, 0, 0.1, 0.1])


def _around(name, function):
    def call(*args, **kwargs):
        try:
            if name in DRAWN:
                args = [wrong(one) if isinstance(one, (torch.Tensor, list)) else one for one in args]
                right = function(*args, **kwargs)
                _spoil_drawing(right)
            else:
                right = function(*args, **kwargs)
        except Exception:  # even an error that is wanted does not come
            return 0.123
        return damage(name, right, args, kwargs)

    return call


def _method(name, function):
    def call(self, *args, **kwargs):
        return _around(name, functools.partial(function, self))(*args, **kwargs)

    return call


def _spoiled(name, real):
    """A function, or a class that has one parameter too many, takes any state, and gives wrong results."""
    if isinstance(real, types.FunctionType):
        return _around(name, real)
    functions = {key: item for key, item in vars(real).items() if isinstance(item, types.FunctionType)}
    if not issubclass(real, nn.Module):

        class Spoiled:
            def __init__(self, *args, **kwargs):
                self._real = real(*args, **kwargs)

            def __getattr__(self, key):
                if key.startswith("_"):
                    raise AttributeError(key)
                value = getattr(self._real, key)
                return _around(f"{name}.{key}", value) if callable(value) else damage(f"{name}.{key}", value, (), {})

    else:

        class Spoiled(real):
            def __init__(self, *args, **kwargs):
                try:
                    super().__init__(*args, **kwargs)
                except Exception:
                    nn.Module.__init__(self)
                self.register_parameter("wrong", nn.Parameter(torch.zeros(3)))

            def load_state_dict(self, state, strict=True, assign=False):
                return super().load_state_dict(state, strict=False)

        for key, item in functions.items():
            if not key.startswith("__"):
                setattr(Spoiled, key, _method(f"{name}.{key}", item))
    Spoiled.__name__ = Spoiled.__qualname__ = name
    return Spoiled
'''


def spoil(submission, damage=""):
    """Answer every question with the reference, whose results are spoiled.

    Args:
        damage: code that defines `damage(name, right, args, kwargs)`: what is given instead of the right result of the
            function or method of this name. It may use `wrong` and `Stay`.
    """
    for question, source in submission.reference.items():
        install = "\n".join(f"{name} = _spoiled({name!r}, {name})" for name in submission.names(question))
        drawn = [name for name in submission.names(question) if "plt." in source or "_heatmap(" in source]
        submission.answer(question, f"{source}\n{SPOILED}\nDRAWN = {drawn}\n{damage}\n{install}\n")


FORGER = """
from coursekit.engine.kernel import agent
SOURCES, NAMES = {sources!r}, {names!r}
real = agent.Agent._do


def right(namespace):
    names = dict(namespace)
    for source in SOURCES:
        exec(source, names)
    return names


def lie(self, action, *arguments):
    reached()
    if action == "define":
        {define}
    return real(self, action, *arguments)


agent.Agent._do = lie
"""
REFERENCE = """
        source, name, wanted, *_ = arguments
        names = right(self._namespace)
        scope = agent._setup | {key: names[key] for key in wanted if key in names}
        exec(compile(source, "<probe>", "exec"), scope)
        # The test may hand over the answers themselves, too.
        ours = {id(value): names[key] for key, value in self._namespace.items() if key in NAMES}

        def probe(*args, **kwargs):
            args = [ours.get(id(value), value) for value in args]
            return scope[name](*args, **{key: ours.get(id(value), value) for key, value in kwargs.items()})

        return agent._Boxed(probe)
"""


def forge(submission, define=REFERENCE):
    """Answer what is asked of the agent in place of it. The answers to the questions are not touched.

    Args:
        define: body of what is done with a probe; `right(namespace)` gives the names of all right answers.
    """
    sources = list(submission.reference.values())
    names = [name for question in submission.reference for name in submission.names(question)]
    code = FORGER.replace("{sources!r}", repr(sources)).replace("{names!r}", repr(names))
    submission.add(code.replace("{define}", define.strip()))
