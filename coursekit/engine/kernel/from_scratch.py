"""Takes ready-made functions away from a process while a question is judged that says "from scratch".

A function has many names, and a copy of it may have been kept. So no name is touched, only what is below all of them: a
function written in Python gets another code, a class has its methods' code replaced. Where torch is the course's
library, `tensors.operators` finds all other names of its functions, and replaces its operators in torch's one table,
for every thread. What is not written in Python is replaced in its module, and wherever the student's code has kept it,
see `kept`. Afterwards all is as it was.
"""

import contextlib
import functools
import importlib
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from types import CodeType, FunctionType, ModuleType
from typing import Any

from coursekit.engine.kernel import kept
from coursekit.engine.shared import library

# What a class needs to be made and shown; all else of it is its work.
NOT_WORK = re.compile(r"__.*__|_?reset_parameters|extra_repr")

# What a function of numpy's that is not written in Python has besides: `numpy.logaddexp.reduce`.
METHODS = ("reduce", "accumulate", "reduceat", "outer", "at")


@dataclass
class Work:
    """Whatever does one piece of work, as it is when nothing is refused."""

    functions: list[FunctionType] = field(default_factory=list)
    places: list[tuple[str, str, str]] = field(
        default_factory=list
    )  # (namespace, operator, dispatch key) of torch's
    names: list[tuple[ModuleType, str, Any]] = field(default_factory=list)  # of what is not written in Python


@dataclass(frozen=True)
class Way:
    """One way to have a piece of work done.

    Attributes:
        besides: what to call it, where it is another function that can do the same work; "" for the listed one.
    """

    work: Work
    besides: str = ""


_known: dict[str, Work | None] = {}  # dotted name -> its own work; None where nothing has that name


def look_up(names: Iterable[str]) -> list[tuple[str, list[Way]]]:
    """For each name the ways to its work: its own first, then what has other names.

    Called before any student code runs, which may put other things there. Unknown names have no ways: a library that
    lacks the function has none. What has other names is asked for anew each time: imports may have added some.
    """
    names = tuple(names)
    found, ways = [], library.current.other_ways(names)
    for dotted in names:
        others = ways.get(dotted, [])
        if dotted not in _known:
            _known[dotted] = _find(dotted, bool(others))
        own = _known[dotted]
        found.append((dotted, [] if own is None else [Way(own), *others]))
    return found


def _find(dotted: str, has_others: bool) -> Work | None:
    module_name, _, name = dotted.rpartition(".")
    try:
        module = importlib.import_module(module_name)
        thing = getattr(module, name)
    except (ImportError, AttributeError, ValueError):
        return None
    functions = functions_of(thing)
    return Work(functions, names=[] if functions or has_others else [(module, name, thing)])


def functions_of(thing: Any) -> list[FunctionType]:
    """The functions of Python's that do a function's or a class's work, its subclasses' too."""
    if isinstance(thing, type):
        parts = [value for name, value in vars(thing).items() if not NOT_WORK.fullmatch(name)]
        own = [function for part in parts if not isinstance(part, type) for function in functions_of(part)]
        # A class of another metaclass has another `__subclasses__`.
        below: list[type] = type.__subclasses__(thing)
        return own + [item for kind in below for item in functions_of(kind)]
    if isinstance(thing, staticmethod | classmethod):
        thing = thing.__func__
    elif isinstance(thing, property):
        thing = thing.fget
    found: list[FunctionType] = []
    while callable(thing):
        if isinstance(thing, FunctionType):
            found.append(thing)
        # Also of what is not written in Python: numpy.std is a wrapper in C around a function of Python's.
        thing = getattr(thing, "__dict__", {}).get("__wrapped__")
    return found


@contextlib.contextmanager
def refused(names: Iterable[str], *namespaces: dict[str, Any]) -> Iterator[None]:
    """All that is behind these names raises a sentence, in every thread, until this ends.

    Args:
        namespaces: where the student's code may have kept some of it.

    Raises in whoever calls one of them:
        RuntimeError: it names what is refused.
    """
    # First what is listed itself, then what has another name, then what does the same work: the sentence names it.
    found = [
        (min(place, 2), dotted, way) for dotted, ways in look_up(names) for place, way in enumerate(ways)
    ]
    found.sort(key=lambda item: item[0])
    codes: dict[FunctionType, CodeType] = {}
    places: dict[tuple[str, str, str], Callable[..., Any]] = {}
    replaced = []
    instead: dict[int, Callable[..., Any]] = {}  # by the id of what is not written in Python
    seen: set[int] = set()
    try:
        for _, dotted, way in found:
            if id(way.work) in seen:
                continue
            seen.add(id(way.work))
            sentence = _sentence(dotted, way.besides)
            for function in way.work.functions:
                if function not in codes:
                    codes[function] = function.__code__
                    function.__code__ = _raising(sentence, function.__code__.co_freevars)
            refuse = _refuse(sentence)
            for place in way.work.places:
                places.setdefault(place, refuse)
            for module, name, thing in way.work.names:
                replaced.append((module, name, thing))
                setattr(module, name, refuse)
                if callable(thing):  # and no number, which others may hold as well
                    instead.setdefault(id(thing), refuse)
        with library.current.refusing(places), kept.replaced(instead, namespaces):
            yield
    finally:
        for function, code in codes.items():
            function.__code__ = code
        for module, name, thing in replaced:
            setattr(module, name, thing)


def _sentence(dotted: str, besides: str) -> str:
    nor = f", nor is {besides}, which can do its work" if besides else ""
    return f"{dotted} is not available while this question is judged{nor}: build it yourself"


def _refuse(sentence: str) -> Callable[..., Any]:
    def refuse(*_: Any, **__: Any) -> Any:
        raise RuntimeError(sentence)

    for method in METHODS:
        setattr(refuse, method, refuse)
    return refuse


def _raise(*_: Any, **__: Any) -> Any:
    raise RuntimeError("sentence")


@functools.cache
def _raising(sentence: str, free_variables: tuple[str, ...]) -> CodeType:
    """A code that raises, for functions that bring these."""
    constants = tuple(sentence if value == "sentence" else value for value in _raise.__code__.co_consts)
    return _raise.__code__.replace(co_consts=constants, co_freevars=free_variables)
