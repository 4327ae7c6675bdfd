"""Takes ready-made functions away from a process, where a question says "from scratch".

A function of torch has many names, and a copy of it may have been kept; below all of them lies one table of
operators. So the name is replaced by a sentence, and the operators behind it by the same one.
"""

import contextlib
import ctypes
import importlib
import warnings
from collections import defaultdict
from typing import Any

import torch

# Where an operator's code for the CPU is found, whoever calls it and with gradients or without.
KEYS = (
    "CPU",
    "CompositeImplicitAutograd",
    "CompositeExplicitAutograd",
    "CompositeExplicitAutogradNonFunctional",
)
# One function is several operators: for its gradient, for another processor, without exactness.
WAYS = frozenset(
    [
        "native",
        "math",
        "flash",
        "efficient",
        "fused",
        "overrideable",
        "quantized",
        "cudnn",
        "triton",
        "for",
        "cpu",
        "mps",
        "forward",
        "fwd",
        "backward",
        "nd",
    ]
)

_forbidden: set[str] = set()


def forbid(dotted: str) -> None:
    """Make a ready-made function or class raise, for the rest of this process's life.

    Unknown names are left alone: a library that lacks the function cannot lend it.
    """
    module_name, _, name = dotted.rpartition(".")

    def refuse(*_: Any, **__: Any) -> Any:
        raise RuntimeError(f"{dotted} is not available while this notebook is graded: build it yourself")

    refuse.__name__ = refuse.__qualname__ = name
    with contextlib.suppress(ImportError, AttributeError):
        module = importlib.import_module(module_name)
        getattr(module, name)
        setattr(module, name, refuse)
        if module_name.partition(".")[0] == "torch":
            _forbid_operators(name, refuse)


def _forbid_operators(name: str, refuse: Any) -> None:
    """Put `refuse` in the place of every operator that does this function's work."""
    table = torch._C._dispatch_library("IMPL", "aten", "")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # torch warns that there was something in that place
        for operator in operators(name):
            if operator in _forbidden:
                continue
            _forbidden.add(operator)
            for key in KEYS:
                if torch._C._dispatch_has_kernel_for_dispatch_key(operator, key):
                    table.impl(operator.removeprefix("aten::"), getattr(torch._C.DispatchKey, key), refuse)
    # The places are given back when `table` is freed. Nothing refers to it, so nothing finds it; it is never freed.
    ctypes.pythonapi.Py_IncRef(ctypes.py_object(table))


def operators(name: str) -> list[str]:
    """The operators that do the work of a function or class of this name.

    >>> operators("CosineSimilarity")
    ['aten::cosine_similarity']
    """
    return _OPERATORS.get(_core(name), [])


def _core(name: str) -> str:
    """What a name says, without the ways of doing it."""
    return "".join(word for word in name.lower().split("_") if word not in WAYS)


def _by_core() -> dict[str, list[str]]:
    found = defaultdict(list)
    for full in sorted(torch._C._dispatch_get_all_op_names()):
        if full.startswith("aten::"):
            found[_core(full.removeprefix("aten::").split(".")[0])].append(full)
    return found


_OPERATORS = _by_core()  # read once, in the server that kernels are forked from
