"""Replace references of student code to a function that is not written in Python.

Such a function has no code object that could be replaced, so references are replaced in the places where code usually
has them: global names (`from itertools import groupby`), default arguments, closure variables, class attributes.
Others, such as items of lists, are not found.
"""

import contextlib
import functools
from collections.abc import Iterable, Iterator, Mapping
from types import BuiltinMethodType, FunctionType
from typing import Any

CACHED = type(functools.cache(len))
HOLDERS = (FunctionType, staticmethod, classmethod, property, CACHED)  # may hold references, as classes do


@contextlib.contextmanager
def replaced(replacements: Mapping[int, Any], namespaces: Iterable[dict[str, Any]]) -> Iterator[None]:
    """Replace the references to some objects that can be found, until the context ends.

    Args:
        replacements: {`id` of an object: its replacement}; comparing the student's objects could run their code.
        namespaces: global names of the student's code.
    """
    changes = []
    for namespace in namespaces if replacements else ():
        for holder, key, value in _references(namespace):
            if (replacement := _replacement(key, value, replacements)) is not value:
                changes.append((holder, key, value, replacement))
    try:
        for holder, key, _, replacement in changes:
            _set(holder, key, replacement)
        yield
    finally:
        for holder, key, value, replacement in changes:
            if _get(holder, key) is replacement:  # student code may have assigned something else
                _set(holder, key, value)


def _replacement(key: str, value: Any, replacements: Mapping[int, Any]) -> Any:
    """Return the replacement of a value; the value itself if it does not lead to a replaced object."""
    if key == "__defaults__" and type(value) is tuple:
        parts = tuple(_replacement("", part, replacements) for part in value)
        return value if all(part is old for part, old in zip(parts, value, strict=True)) else parts
    inner = value
    while type(inner) in (functools.partial, staticmethod):
        inner = inner.func if type(inner) is functools.partial else inner.__func__
    if type(inner) is BuiltinMethodType:  # `numpy.logaddexp.reduce` is a method of a replaced object
        inner = inner.__self__ if id(inner.__self__) in replacements else inner
    return replacements.get(id(inner), value)


def _references(namespace: dict[str, Any]) -> Iterator[tuple[Any, str, Any]]:
    """Yield (holder, key, value) of the namespace's names, and of what its functions and classes hold."""
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
            held = _held(holder, namespace)
            yield from held
            for _, _, value in held:
                if type(value) in HOLDERS or issubclass(type(value), type):
                    waiting.append(value)


def _held(holder: Any, namespace: dict[str, Any]) -> list[tuple[Any, str, Any]]:
    if holder is namespace:
        return [(holder, name, value) for name, value in list(holder.items())]
    if type(holder) is FunctionType and holder.__globals__ is namespace:
        keyword_defaults = holder.__kwdefaults__ or {}
        closure = [(cell, "cell_contents", _get(cell, "cell_contents")) for cell in holder.__closure__ or ()]
        defaults = (holder, "__defaults__", holder.__defaults__)
        return [
            defaults,
            *((keyword_defaults, name, value) for name, value in keyword_defaults.items()),
            *closure,
        ]
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
    except ValueError:  # a closure variable that has no value yet
        return None


def _set(holder: Any, key: str, value: Any) -> None:
    if type(holder) is dict:
        holder[key] = value
    elif issubclass(type(holder), type):
        type.__setattr__(holder, key, value)
    else:
        setattr(holder, key, value)
