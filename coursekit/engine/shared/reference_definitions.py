"""Reference definitions, in the student kernel: they stand for earlier answers while a test of a later question runs.

A later question builds on earlier ones (an encoder block on layer norm). So that one wrong answer does not cost the
later ones too, the objects made here get the names of the earlier questions while a test of the later one runs: a
function, or a subclass of `nn.Module` with the parameters, buffers and submodules of the original. Their code is only
in the examiner, which computes their results:

    norm = LayerNorm(6)       asks the examiner to make one, and gets its parameters
    norm(x)                   sends x and the parameters as they are now, and gets the result
    norm(x).sum().backward()  asks for the gradients of that call
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from coursekit.engine.shared import library

FUNCTION, MODULE, VALUE = "function", "module", "value"


@dataclass(frozen=True)
class ReferenceCalls:
    """Functions that run in the examiner: methods of `engine.examiner.reference_definitions.Definitions`."""

    make: Callable[..., Any]  # an `nn.Module`: returns its number and what its proxy needs
    call: Callable[..., Any]  # of a function or module: returns the call's number and its result
    gradients: Callable[..., Any]  # of the call with this number


def reference_definition(calls: ReferenceCalls, name: str, kind: str, value: Any) -> Any:
    """Return the object that gets the name in the student kernel; `kind`: FUNCTION, MODULE, or VALUE for plain data."""
    if kind == VALUE:
        return value
    if kind == MODULE:
        return library.current.reference_class(calls, name)

    def function(*args: Any, **kwargs: Any) -> Any:
        return library.current.compute(calls, name, args, kwargs)

    function.__name__ = function.__qualname__ = name
    return function
