"""Takes away a function that is not written in Python from what the student's code has kept of it.

Such a function has no code of Python's that could be replaced, so each place that leads to it gets another one: names
(`from itertools import groupby`), default arguments, variables that a function has closed over, attributes of classes.
"""

import contextlib
import functools
from collections.abc import Iterable, Iterator, Mapping
from types import BuiltinMethodType, FunctionType
from typing import Any

CACHED = type(functools.cache(len))
HOLDERS = (FunctionType, staticmethod, classmethod, property, CACHED)


@contextlib.contextmanager
def replaced(instead: Mapping[int, Any], namespaces: Iterable[dict[str, Any]]) -> Iterator[None]:
    """Until this ends, whatever leads to one of these leads to what stands in for it.

    Args:
        instead: by the `id` of what is taken away. Nothing of the student's is compared, which could run its code.
        namespaces: global names of the student's code.
    """
    found = []
    for namespace in namespaces if instead else ():
        for holder, key, value in _held(namespace):
            if (other := _stand_in(key, value, instead)) is not value:
                found.append((holder, key, value, other))
    try:
        for holder, key, _, other in found:
            _put(holder, key, other)
        yield
    finally:
        for holder, key, value, other in found:
            if _get(holder, key) is other:  # the student's code may have put something else there meanwhile
                _put(holder, key, value)


def _stand_in(key: str, value: Any, instead: Mapping[int, Any]) -> Any:
    """What to put in a value's place: itself, where it does not lead to what is taken away."""
    if key == "__defaults__" and type(value) is tuple:
        parts = tuple(_stand_in("", part, instead) for part in value)
        return value if all(part is old for part, old in zip(parts, value, strict=True)) else parts
    inner = value
    while type(inner) in (functools.partial, staticmethod):
        inner = inner.func if type(inner) is functools.partial else inner.__func__
    if type(inner) is BuiltinMethodType:  # `numpy.logaddexp.reduce` belongs to what is taken away
        inner = inner.__self__ if id(inner.__self__) in instead else inner
    return instead.get(id(inner), value)


def _held(namespace: dict[str, Any]) -> Iterator[tuple[Any, str, Any]]:
    """(holder, key, value): the names, and what the functions and classes hold that were made among them."""
    seen: set[int] = set()
    waiting: list[Any] = [namespace]
    while waiting:
        holder = waiting.pop()
        if id(holder) in seen:
            continue
        seen.add(id(holder))
        if type(holder) in (staticmethod, classmethod, CACHED):
            waiting.append(holder.__wrapped__)
        elif type(holder) is property:
            waiting.append(holder.fget)
        else:
            places = _places(holder, namespace)
            yield from places
            for _, _, value in places:
                if type(value) in HOLDERS or issubclass(type(value), type):
                    waiting.append(value)


def _places(holder: Any, namespace: dict[str, Any]) -> list[tuple[Any, str, Any]]:
    if holder is namespace:
        return [(holder, name, value) for name, value in list(holder.items())]
    if type(holder) is FunctionType and holder.__globals__ is namespace:
        named = holder.__kwdefaults__ or {}
        closed = [(cell, "cell_contents", _get(cell, "cell_contents")) for cell in holder.__closure__ or ()]
        defaults = (holder, "__defaults__", holder.__defaults__)
        return [defaults, *((named, name, value) for name, value in named.items()), *closed]
    if issubclass(type(holder), type) and holder.__module__ == namespace.get("__name__"):
        return [(holder, name, value) for name, value in vars(holder).items()]
    return []


def _get(holder: Any, key: str) -> Any:
    if type(holder) is dict:
        return holder.get(key)
    if issubclass(type(holder), type):
        return vars(holder).get(key)
    try:
        return getattr(holder, key)
    except ValueError:  # a variable that a function has closed over and that has no value yet
        return None


def _put(holder: Any, key: str, value: Any) -> None:
    if type(holder) is dict:
        holder[key] = value
    elif issubclass(type(holder), type):
        type.__setattr__(holder, key, value)
    else:
        setattr(holder, key, value)
