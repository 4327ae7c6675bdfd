"""The class that an exception has on the other side of a connection, where only builtin classes are known."""

import builtins
from collections.abc import Sequence


def names_of(error: BaseException) -> list[str]:
    """Return the names of an exception's classes, most derived first.

    >>> names_of(IndexError())
    ['IndexError', 'LookupError', 'Exception', 'BaseException', 'object']
    """
    return [kind.__name__ for kind in type(error).__mro__]


def nearest(names: Sequence[object]) -> type[Exception]:
    """Return the first builtin class of exceptions with one of these names that a message alone can make.

    Anything may stand in names. RuntimeError stands for what has no such class, and for the end of an iteration, which
    would end a loop of the receiver's.

    >>> nearest(["MyError", "KeyError", "LookupError"]), nearest(["StopIteration", "Exception"]), nearest([1, "print"])
    (<class 'KeyError'>, <class 'RuntimeError'>, <class 'RuntimeError'>)
    """
    for name in names:
        kind = getattr(builtins, name, None) if type(name) is str else None
        if isinstance(kind, type) and issubclass(kind, Exception):
            if issubclass(kind, StopIteration | StopAsyncIteration):
                break
            # The constructors of some need more than a message.
            return ValueError if issubclass(kind, UnicodeError | BaseExceptionGroup) else kind
    return RuntimeError
