"""Find equivalents of a ready-made function in `LIBRARIES`, under any name, and block torch's operators.

All functions that compute with an operator go through torch's one dispatch table. A function's equivalents are blocked
with it, see `SAME_WORK`. Whenever a function is blocked, the modules that were imported since the last scan, and the
operators that they registered, are scanned first. Used by `from_scratch`.
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

from coursekit.engine.kernel.from_scratch import BlockedEquivalent, Implementation, blocked, python_functions

# Under these, an operator's code for the CPU is found: with gradients or without, batched, for nested and
# other unusual tensors.
DISPATCH_KEYS = (
    *("CPU", "NestedTensorCPU", "SparseCPU", "SparseCsrCPU", "MkldnnCPU"),
    *("CompositeImplicitAutograd", "CompositeImplicitAutogradNestedTensor"),
    *("CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional"),
    *("FuncTorchBatched", "FuncTorchBatchedDecomposition", "FuncTorchVmapMode"),
)
# Words that distinguish the variants of an operator, for a name that is in no line of `SAME_WORK`.
VARIANT_WORDS = frozenset(
    ["native", "fused", "forward", "fwd", "masked", "sparse", "safe", "special", "default"]
)
LIBRARIES = ("torch", "numpy", "scipy", "sklearn")
# Modules that nothing else imports: they register operators, or hold Python implementations.
MODULES = (
    *("torch.nn.attention.flex_attention", "torch._higher_order_ops.flex_attention"),
    *("torch.ao.nn.quantizable", "torch.nested._internal.ops", "torch.nested._internal.sdpa"),
    *("torch._refs", "torch._refs.special", "torch._refs.nn.functional", "torch._decomp.decompositions"),
    *("torch.distributions", "torch.masked", "torch.nn.modules.linear_cross_entropy", "torch.onnx.ops"),
)

# Parts of the names of functions, classes and operators that do the same work, without underscores.
TRANSFORMER = ("transformer",)
NORMS = ("layernorm", "groupnorm", "instancenorm", "rmsnorm", "batchnorm", "zscore", "standardscaler")
ATTENTION = ("attention", "sdpadense")
CROSS_ENTROPY = ("crossentropy", "nllloss", "kldiv", "ctcloss", "categorical", "logloss")
COSINE = ("cosine", "corrcoef")
SOFTMAX = ("softmax", "softmin", "logsumexp", "logcumsumexp", "logaddexp")
# All of this package is softmax or cross-entropy in one form or another, in classes whose names do not say so.
DISTRIBUTIONS = "torch.distributions"
# Equivalents: a question that asks for one function of a line from scratch blocks the whole line.
SAME_WORK = (  # (parts of a listed name, further parts that are blocked with them)
    (TRANSFORMER, ()),
    (NORMS, ("transformerencoderlayer",)),
    (ATTENTION, ("transformerencoderlayer",)),
    (CROSS_ENTROPY, (DISTRIBUTIONS,)),
    (COSINE, ()),
    (SOFTMAX, (*ATTENTION, *CROSS_ENTROPY, DISTRIBUTIONS)),
)
_SAME_WORK_WORD = re.compile("|".join(word for words, _ in SAME_WORK for word in words))

# By normalized name (small letters, no underscores): what was found so far, and the name as it was first written.
_implementations: defaultdict[str, Implementation] = defaultdict(Implementation)
_names: dict[str, str] = {}
_scanned_modules: set[str] = set()
_scanned_operators: set[str] = set()


def equivalents(names: Iterable[str]) -> dict[str, list[BlockedEquivalent]]:
    """Return {dotted name: its equivalents} of functions and classes; other names of the same one come first."""
    _scan()
    return {dotted: _equivalents(dotted) for dotted in names}


@functools.cache
def _equivalents(dotted: str) -> list[BlockedEquivalent]:
    """Return the equivalents of one function in the scanned modules and operators."""
    package, _, name = dotted.rpartition(".")
    if package.partition(".")[0] not in LIBRARIES:
        return []
    normalized = _normalized(name)
    result = [BlockedEquivalent(work) for other, work in _implementations.items() if other == normalized]
    for words, further in SAME_WORK:
        if any(word in normalized for word in words):
            result += [
                BlockedEquivalent(work, _names[other])
                for other, work in _implementations.items()
                if other != normalized and any(word in other for word in (*words, *further))
            ]
            return result
    return [BlockedEquivalent(_variants(name))] if dotted.startswith("torch.") else []


@contextlib.contextmanager
def blocking(entries: dict[tuple[str, str, str], Callable[..., Any]]) -> Iterator[None]:
    """Replace entries of torch's dispatch table until the context ends.

    Args:
        entries: {(namespace, operator, dispatch key): its replacement}.
    """
    tables: dict[str, Any] = {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # torch warns that an entry is replaced
            for (namespace, operator, key), replacement in entries.items():
                if namespace not in tables:
                    tables[namespace] = torch._C._dispatch_library("IMPL", namespace, "")
                tables[namespace].impl(operator, torch._C._parse_dispatch_key(key), replacement)
        yield
    finally:
        for table in tables.values():
            table.reset()


def operators(word: str) -> list[str]:
    """Return the operators whose names, without underscores, contain this word.

    >>> operators("cosinesimilarity")
    ['aten::cosine_similarity']
    """
    return sorted(name for name in torch._C._dispatch_get_all_op_names() if word in _normalized(_bare(name)))


def _scan() -> None:
    """Add the modules that were imported since the last scan, and the operators that they have registered."""
    imported = [name for name in list(sys.modules) if name not in _scanned_modules]
    _scanned_modules.update(imported)
    new_modules = [name for name in imported if name.partition(".")[0] in LIBRARIES]
    if not new_modules:
        return
    _equivalents.cache_clear()
    added: dict[tuple[str, int], Any] = {}  # holds the objects, so that no id is used twice
    for module_name in new_modules:
        module = sys.modules[module_name]
        if type(module) is ModuleType:
            of_torch, of_distributions = map(module_name.startswith, ("torch", DISTRIBUTIONS))
            for name, value in list(vars(module).items()):
                key = _equivalence_key(name)
                if not key and of_distributions and _defined_in_distributions(value):
                    key = name = DISTRIBUTIONS
                # Most of torch's functions have names in several modules. One is enough: in torch, none is replaced.
                if key and not (of_torch and (key, id(value)) in added):
                    _add(key, name, value, module)
                    added[key, id(value)] = value
    for operator in sorted(set(torch._C._dispatch_get_all_op_names()) - _scanned_operators):
        _scanned_operators.add(operator)
        if key := _equivalence_key(_bare(operator)):
            _names.setdefault(key, _bare(operator))
            _implementations[key].operators += _table_entries(operator)


def _add(key: str, name: str, value: Any, module: ModuleType) -> None:
    if isinstance(value, torch.library.CustomOpDef):
        value = value._init_fn
    implementation = _implementations[key]
    _names.setdefault(key, name)
    if functions := python_functions(value):
        implementation.functions = list(dict.fromkeys([*implementation.functions, *functions]))
    elif callable(value) and not isinstance(value, type) and not module.__name__.startswith("torch"):
        implementation.names.append((module, name, value))


def _defined_in_distributions(value: Any) -> bool:
    return isinstance(value, FunctionType | type) and value.__module__.startswith(DISTRIBUTIONS)


def _variants(name: str) -> Implementation:
    """Return torch's operators and functions whose names differ from this one in `VARIANT_WORDS` only."""
    core = _core(name)
    variants = Implementation()
    for operator in torch._C._dispatch_get_all_op_names():
        if _core(_bare(operator)) == core:
            variants.operators += _table_entries(operator)
    for module_name, module in list(sys.modules.items()):
        if module_name.partition(".")[0] == "torch" and type(module) is ModuleType:
            for other, value in list(vars(module).items()):
                if isinstance(value, FunctionType | type) and _core(other) == core:
                    variants.functions += python_functions(value)
    return variants


def _table_entries(operator: str) -> list[tuple[str, str, str]]:
    namespace, _, name = operator.partition("::")
    return [
        (namespace, name, key)
        for key in DISPATCH_KEYS
        if torch._C._dispatch_has_kernel_for_dispatch_key(operator, key)
    ]


def _bare(operator: str) -> str:
    """Return an operator's name without its namespace and overload: "softmax" for "aten::softmax.int"."""
    return operator.partition("::")[2].partition(".")[0]


@functools.cache  # most names are in several modules
def _equivalence_key(name: str) -> str:
    """Return the normalized name if it contains a word of `SAME_WORK`, else ""."""
    key = _normalized(name)
    return key if _SAME_WORK_WORD.search(key) else ""


def _normalized(name: str) -> str:
    return name.lower().replace("_", "")


def _core(name: str) -> str:
    return "".join(word for word in name.lower().split("_") if word not in VARIANT_WORDS)


def prepare() -> None:
    """Import `MODULES` and scan all that is imported, in the server that kernels are forked from."""
    for name in MODULES:
        with contextlib.suppress(ImportError):  # not in every version of torch
            importlib.import_module(name)
    _scan()
    with blocked(["torch.nn.LayerNorm", "torch.softmax"]):  # the first time costs most
        pass
