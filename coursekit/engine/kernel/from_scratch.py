"""Block ready-made functions in this process while a question is tested that is to be answered from scratch.

A function has many names, and student code may hold a reference to it. Therefore names are kept, and the object behind
them is changed: a function written in Python gets another code object, and so do a class's methods. Where torch is the
course's library (`library.current`), the module `torch_operators` finds everything else that does the same work, and
replaces operators in torch's dispatch table, which holds for every thread. A function that is not written in Python is
replaced in its module and wherever student code refers to it, see `references`. Afterwards everything is as it was.
"""

import builtins
import contextlib
import functools
import importlib
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from types import CodeType, FunctionType, ModuleType
from typing import Any

from coursekit.engine.kernel import references
from coursekit.engine.shared import library

# Methods of a blocked class that stay: special ones, and those that only initialise or display an object. Of a class
# of torch, its `forward` is among those that are blocked.
NOT_BLOCKED = re.compile(r"__.*__|_?reset_parameters|extra_repr")

# Methods of a numpy ufunc: `numpy.logaddexp.reduce`.
UFUNC_METHODS = ("reduce", "accumulate", "reduceat", "outer", "at")


@dataclass
class Implementation:
    """All code objects, operators and names that have to be replaced to block one function.

    Attributes:
        functions: written in Python.
        operators: (namespace, operator, dispatch key) in torch's dispatch table.
        names: (module, name, object) of each object that is not written in Python.
    """

    functions: list[FunctionType] = field(default_factory=list)
    operators: list[tuple[str, str, str]] = field(default_factory=list)
    names: list[tuple[ModuleType, str, Any]] = field(default_factory=list)


@dataclass(frozen=True)
class BlockedEquivalent:
    """A function in the question's list, or another one that can do its work.

    Attributes:
        name: of another function; "" for the listed one under any of its names.
    """

    implementation: Implementation
    name: str = ""


# By dotted name; None if no module has such a function.
_implementations: dict[str, Implementation | None] = {}


def find_equivalents(names: Iterable[str]) -> list[tuple[str, list[BlockedEquivalent]]]:
    """Return (dotted name, all that has to be blocked): the function, then its other names, then equivalents.

    The first call must come before any student code runs, which could replace a function. A name that no module
    has, such as a method's, has an empty list. Equivalents are looked up again each time, since imports may have
    added some.
    """
    names = tuple(names)
    result, equivalents = [], library.current.equivalents(names)
    for dotted in names:
        further = equivalents.get(dotted, [])
        if dotted not in _implementations:
            by_operator = any(one.implementation.operators for one in further)
            _implementations[dotted] = _find(dotted, by_operator)
        listed = _implementations[dotted]
        result.append((dotted, [] if listed is None else [BlockedEquivalent(listed), *further]))
    return result


def _find(dotted: str, by_operator: bool) -> Implementation | None:
    """Return what to block of a function; `by_operator`: its operators are blocked, so its name may stay."""
    module_name, _, name = dotted.rpartition(".")
    try:
        module = importlib.import_module(module_name)
        value = getattr(module, name)
    except (ImportError, AttributeError, ValueError):
        return None
    functions = python_functions(value)
    return Implementation(functions, names=[] if functions or by_operator else [(module, name, value)])


def python_functions(value: Any) -> list[FunctionType]:
    """Return a Python function and those that it wraps, or those that a class and its subclasses compute with."""
    if isinstance(value, type):
        members = [member for name, member in vars(value).items() if not NOT_BLOCKED.fullmatch(name)]
        methods = [
            function
            for member in members
            if not isinstance(member, type)
            for function in python_functions(member)
        ]
        # A metaclass may have its own `__subclasses__`.
        subclasses: list[type] = type.__subclasses__(value)
        return methods + [function for subclass in subclasses for function in python_functions(subclass)]
    if isinstance(value, staticmethod | classmethod):
        value = value.__func__
    elif isinstance(value, property):
        value = value.fget
    wrapped: list[FunctionType] = []
    while callable(value):
        if isinstance(value, FunctionType):
            wrapped.append(value)
        # Not only Python functions have `__wrapped__`: numpy.std is a wrapper in C around a Python function.
        value = getattr(value, "__dict__", {}).get("__wrapped__")
    return wrapped


@contextlib.contextmanager
def blocked(names: Iterable[str], *namespaces: dict[str, Any]) -> Iterator[None]:
    """Have these functions and all equivalents raise RuntimeError, in every thread, until the context ends.

    Those of a module that is imported meanwhile raise as well.

    Args:
        names: dotted names of the functions.
        namespaces: the student's global names, in which references to the functions are replaced.
    """
    names = tuple(names)
    codes: dict[FunctionType, CodeType] = {}
    operators: dict[tuple[str, str, str], Callable[..., Any]] = {}
    replaced: dict[tuple[str, str], tuple[ModuleType, Any]] = {}  # by module and name
    replacements: dict[int, Callable[..., Any]] = {}  # by the id of the replaced object

    def block() -> None:
        # Listed functions first, then their other names, then equivalents: the first one found decides the message.
        ranked = [
            (min(rank, 2), dotted, equivalent)
            for dotted, equivalents in find_equivalents(names)
            for rank, equivalent in enumerate(equivalents)
        ]
        ranked.sort(key=lambda item: item[0])
        seen: set[int] = set()
        for _, dotted, equivalent in ranked:
            implementation = equivalent.implementation
            if id(implementation) in seen:
                continue
            seen.add(id(implementation))
            message = _message(dotted, equivalent.name)
            for function in implementation.functions:
                if function not in codes:
                    codes[function] = function.__code__
                    function.__code__ = _raising_code(message, function.__code__.co_freevars)
            raising = _raising_function(message)
            for operator in implementation.operators:
                operators.setdefault(operator, raising)
            for module, name, value in implementation.names:
                if (module.__name__, name) in replaced:
                    continue
                replaced[module.__name__, name] = module, value
                setattr(module, name, raising)
                if callable(value):  # a constant may be the same object as an unrelated one
                    replacements.setdefault(id(value), raising)

    try:
        block()
        with (
            library.current.blocking(operators),
            references.replaced(replacements, namespaces),
            _called_after_imports(block),
        ):
            yield
    finally:
        for function, code in codes.items():
            function.__code__ = code
        for (_, name), (module, value) in replaced.items():
            setattr(module, name, value)


@contextlib.contextmanager
def _called_after_imports(function: Callable[[], None]) -> Iterator[None]:
    """Have a function called whenever an import statement has loaded modules, until the context ends."""
    loading, plain = False, builtins.__import__

    def importing(*arguments: Any, **settings: Any) -> Any:
        nonlocal loading
        if loading:
            return plain(*arguments, **settings)
        before, loading = len(sys.modules), True
        try:
            return plain(*arguments, **settings)
        finally:
            loading = False
            if len(sys.modules) != before:
                function()

    builtins.__import__ = importing
    try:
        yield
    finally:
        builtins.__import__ = plain


def _message(dotted: str, equivalent: str) -> str:
    nor = f", nor is {equivalent}, which can do its work" if equivalent else ""
    return f"{dotted} is not available while this question is judged{nor}: build it yourself"


def _raising_function(message: str) -> Callable[..., Any]:
    def raising(*_: Any, **__: Any) -> Any:
        raise RuntimeError(message)

    for method in UFUNC_METHODS:
        setattr(raising, method, raising)
    return raising


def _template(*_: Any, **__: Any) -> Any:
    raise RuntimeError("message")


@functools.cache
def _raising_code(message: str, free_variables: tuple[str, ...]) -> CodeType:
    """Return a code object that raises, for a function that closes over these variables."""
    constants = tuple(message if value == "message" else value for value in _template.__code__.co_consts)
    return _template.__code__.replace(co_consts=constants, co_freevars=free_variables)
