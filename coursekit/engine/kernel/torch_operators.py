"""What of torch and numpy does the work of a ready-made function, by whatever name, and refusing torch's operators.

Each operator is in one table of torch's, below all functions that call it. What does the same work goes with it, see
`SAME_WORK`. Operators and modules are looked through as they are when something is to be refused: importing a module
may have added some. Used by `student.from_scratch`.
"""

import contextlib
import functools
import importlib
import re
import sys
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from types import FunctionType, ModuleType
from typing import Any

import torch

from coursekit.engine.kernel.from_scratch import Way, Work, functions_of, refused

# Where an operator's code for the CPU is found, whoever calls it: with gradients or without, in a batch, a nested or
# another unusual tensor.
KEYS = (
    *("CPU", "NestedTensorCPU", "SparseCPU", "SparseCsrCPU", "MkldnnCPU"),
    *("CompositeImplicitAutograd", "CompositeImplicitAutogradNestedTensor"),
    *("CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional"),
    *("FuncTorchBatched", "FuncTorchBatchedDecomposition", "FuncTorchVmapMode"),
)
# Words that say how an operator works, and not at what: for a name that is in no line of `SAME_WORK`.
WAYS = frozenset(["native", "fused", "forward", "fwd", "masked", "sparse", "safe", "special", "default"])
LIBRARIES = ("torch", "numpy", "scipy")
# Modules that nothing else imports: they add operators, or hold what is written in Python.
MODULES = (
    *("torch.nn.attention.flex_attention", "torch._higher_order_ops.flex_attention"),
    *("torch.ao.nn.quantizable", "torch.nested._internal.ops", "torch.nested._internal.sdpa"),
    *("torch._refs", "torch._refs.special", "torch._refs.nn.functional", "torch._decomp.decompositions"),
    *("torch.distributions", "torch.masked", "torch.nn.modules.linear_cross_entropy", "torch.onnx.ops"),
)

# What the name of a function, class or operator holds that does the work, without its underscores.
TRANSFORMER = ("transformer",)
NORMS = ("layernorm", "groupnorm", "instancenorm", "rmsnorm", "batchnorm")
ATTENTION = ("attention", "sdpadense")
CROSS_ENTROPY = ("crossentropy", "nllloss", "kldiv", "ctcloss", "categorical")
COSINE = ("cosinesimilarity", "cosineembedding", "corrcoef")
SOFTMAX = ("softmax", "softmin", "logsumexp", "logcumsumexp", "logaddexp")
# All of this package is softmax or cross-entropy in one form or another, in classes whose names do not say so.
DISTRIBUTIONS = "torch.distributions"
# What does the same work: who has to write one of a line by hand can use none of that line.
SAME_WORK = (  # (what a listed name may hold, what goes with it besides)
    (TRANSFORMER, ()),
    (NORMS, ("transformerencoderlayer",)),
    (ATTENTION, ("transformerencoderlayer",)),
    (CROSS_ENTROPY, (DISTRIBUTIONS,)),
    (COSINE, ()),
    (SOFTMAX, (*ATTENTION, *CROSS_ENTROPY, DISTRIBUTIONS)),
)
_ANY = re.compile("|".join(word for words, _ in SAME_WORK for word in words))

# What has been found so far, by what its name says; nothing that a student's code takes away is lost.
_found: defaultdict[str, Work] = defaultdict(Work)
_called: dict[str, str] = {}  # how the name is written
_modules: set[str] = set()  # these have been looked through
_operators: set[str] = set()


def other_ways(names: Iterable[str]) -> dict[str, list[Way]]:
    """What does the same work as functions and classes of torch's, each one's own other names first."""
    _look_through()
    return {dotted: _other_ways(dotted) for dotted in names}


@functools.cache
def _other_ways(dotted: str) -> list[Way]:
    """The same for one, of what has been looked through."""
    package, _, name = dotted.rpartition(".")
    if package.partition(".")[0] not in LIBRARIES:
        return []
    own = _plain(name)
    found = [Way(work) for said, work in _found.items() if said == own]
    for words, besides in SAME_WORK:
        if any(word in own for word in words):
            found += [
                Way(work, _called[said])
                for said, work in _found.items()
                if said != own and any(word in said for word in (*words, *besides))
            ]
            return found
    return [Way(_like(name))] if dotted.startswith("torch.") else []


@contextlib.contextmanager
def refusing(places: dict[tuple[str, str, str], Callable[..., Any]]) -> Iterator[None]:
    """Have these (namespace, operator, dispatch key) of torch's table call what refuses."""
    tables: dict[str, Any] = {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # torch warns that there was something in that place
            for (namespace, operator, key), refuse in places.items():
                if namespace not in tables:
                    tables[namespace] = torch._C._dispatch_library("IMPL", namespace, "")
                tables[namespace].impl(operator, torch._C._parse_dispatch_key(key), refuse)
        yield
    finally:
        for table in tables.values():
            table.reset()  # every place is given back


def operators(word: str) -> list[str]:
    """The operators with this in their names, without underscores.

    >>> operators("cosinesimilarity")
    ['aten::cosine_similarity']
    """
    return sorted(name for name in torch._C._dispatch_get_all_op_names() if word in _plain(_bare(name)))


def _look_through() -> None:
    """Add what has been imported since the last time, and what that has registered."""
    imported = [name for name in list(sys.modules) if name not in _modules]
    _modules.update(imported)
    new = [name for name in imported if name.partition(".")[0] in LIBRARIES]
    if not new:
        return
    _other_ways.cache_clear()
    added: dict[tuple[str, int], Any] = {}  # by its id, which stays its own as long as it is here
    for module_name in new:
        module = sys.modules[module_name]
        if type(module) is ModuleType:
            of_torch, of_distributions = map(module_name.startswith, ("torch", DISTRIBUTIONS))
            for name, thing in list(vars(module).items()):
                said = _matched(name)
                if not said and of_distributions and _is_of_distributions(thing):
                    said = name = DISTRIBUTIONS
                # Most things of torch's are in several of its modules, in none of which anything is replaced.
                if said and not (of_torch and (said, id(thing)) in added):
                    _add(said, name, thing, module)
                    added[said, id(thing)] = thing
    for operator in sorted(set(torch._C._dispatch_get_all_op_names()) - _operators):
        _operators.add(operator)
        if said := _matched(_bare(operator)):
            _called.setdefault(said, _bare(operator))
            _found[said].places += _places(operator)


def _add(said: str, name: str, thing: Any, module: ModuleType) -> None:
    if isinstance(thing, torch.library.CustomOpDef):
        thing = thing._init_fn
    work = _found[said]
    _called.setdefault(said, name)
    if functions := functions_of(thing):
        work.functions = list(dict.fromkeys([*work.functions, *functions]))
    elif callable(thing) and not isinstance(thing, type) and not module.__name__.startswith("torch"):
        work.names.append((module, name, thing))


def _is_of_distributions(thing: Any) -> bool:
    """And not only imported there."""
    return isinstance(thing, FunctionType | type) and thing.__module__.startswith(DISTRIBUTIONS)


def _like(name: str) -> Work:
    """What has this name, which is in no line: operators and functions whose names differ from it in `WAYS`."""
    core = _core(name)
    work = Work()
    for operator in torch._C._dispatch_get_all_op_names():
        if _core(_bare(operator)) == core:
            work.places += _places(operator)
    for module_name, module in list(sys.modules.items()):
        if module_name.partition(".")[0] == "torch" and type(module) is ModuleType:
            for other, thing in list(vars(module).items()):
                if isinstance(thing, FunctionType | type) and _core(other) == core:
                    work.functions += functions_of(thing)
    return work


def _places(operator: str) -> list[tuple[str, str, str]]:
    namespace, _, name = operator.partition("::")
    return [
        (namespace, name, key)
        for key in KEYS
        if torch._C._dispatch_has_kernel_for_dispatch_key(operator, key)
    ]


def _bare(operator: str) -> str:
    """An operator's name without its namespace and overload."""
    return operator.partition("::")[2].partition(".")[0]


@functools.cache  # most names are in several modules
def _matched(name: str) -> str:
    """A name without its underscores, where it holds a word of `SAME_WORK`; else ""."""
    said = _plain(name)
    return said if _ANY.search(said) else ""


def _plain(name: str) -> str:
    return name.lower().replace("_", "")


def _core(name: str) -> str:
    return "".join(word for word in name.lower().split("_") if word not in WAYS)


def prepare() -> None:
    """Find all of `SAME_WORK` that is imported by now, in the server that kernels are forked from."""
    for name in MODULES:
        with contextlib.suppress(ImportError):  # not in every version of torch
            importlib.import_module(name)
    _look_through()
    with refused(["torch.nn.LayerNorm", "torch.softmax"]):  # the first time costs most
        pass
