"""What of torch does the work of a ready-made function, by whatever name, and refusing its operators.

Each operator is in one table of torch's, below all functions that call it. What does the same work goes with it, see
`SAME_WORK`. Used by `student.from_scratch`.
"""

import contextlib
import functools
import importlib
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterator
from types import FunctionType
from typing import Any

import torch

from coursekit.engine.student.from_scratch import Way, Work, forget, functions_of, refused

# Where an operator's code for the CPU is found, whoever calls it: with gradients or without, in a batch, a nested or
# another unusual tensor.
KEYS = (
    *("CPU", "NestedTensorCPU", "SparseCPU", "SparseCsrCPU", "MkldnnCPU"),
    *("CompositeImplicitAutograd", "CompositeImplicitAutogradNestedTensor"),
    *("CompositeExplicitAutograd", "CompositeExplicitAutogradNonFunctional"),
    *("FuncTorchBatched", "FuncTorchBatchedDecomposition", "FuncTorchVmapMode"),
)
# One function is several operators: for its gradient, for unusual tensors, by another method.
WAYS = frozenset(
    [
        *("native", "math", "flash", "efficient", "fused", "overrideable"),
        *("triton", "for", "cpu", "mps", "forward", "fwd", "nd", "legit", "masked", "sparse", "safe"),
        *("special", "jagged", "default"),
    ]
)
# Where torch keeps what is written in Python.
MODULES = (
    *("torch", "torch.nn", "torch.nn.functional", "torch.special", "torch.distributions", "torch.masked"),
    *("torch.nn.attention.flex_attention", "torch._higher_order_ops.flex_attention"),
    *("torch.ao.nn.quantizable", "torch.nested._internal.ops", "torch.nested._internal.sdpa"),
    *("torch._refs", "torch._refs.special", "torch._refs.nn.functional", "torch._decomp.decompositions"),
)

TRANSFORMER = (
    *("transformer", "transformer_encoder", "transformer_decoder"),
    *("transformer_encoder_layer", "transformer_decoder_layer"),
)
NORMS = (
    *("layer_norm", "group_norm", "instance_norm", "rms_norm"),
    *("batch_norm", "batch_norm_no_training", "batch_norm_functional", "batch_norm_impl_index"),
    *("batch_norm_with_update", "batch_norm_with_update_functional", "batch_norm_no_update"),
)
ATTENTION = (
    *("scaled_dot_product_attention", "multi_head_attention", "attention", "attention_no_dropout_inplace"),
    *("scaled_dot_attention", "flex_attention", "attention_inner", "sdpa_dense"),
)
CROSS_ENTROPY = (
    *("cross_entropy", "cross_entropy_loss", "linear_cross_entropy", "nll_loss", "nll_loss2d"),
    *("kl_div", "kl_div_loss", "ctc_loss", "categorical"),
)
COSINE = ("cosine_similarity", "cosine_embedding_loss", "corrcoef")
SOFTMAX = ("softmax", "log_softmax", "softmin", "gumbel_softmax", "logsumexp", "logcumsumexp")
# What does the same work: who has to write one of a line by hand can use none of that line.
SAME_WORK = (  # (names that a list may have, what goes with them besides)
    (TRANSFORMER, ()),
    (NORMS, ("transformer_encoder_layer",)),
    (ATTENTION, ("transformer_encoder_layer",)),
    (CROSS_ENTROPY, ()),
    (COSINE, ()),
    (SOFTMAX, (*ATTENTION, *CROSS_ENTROPY)),
)


def other_ways(dotted: str) -> list[Way]:
    """What does the same work as a function or class of torch's, its own other names first."""
    package, _, name = dotted.rpartition(".")
    if package.partition(".")[0] != "torch":
        return []
    core = _core(name)
    found = [Way(_of_torch(core))]
    for names, besides in SAME_WORK:
        if core in map(_core, names):
            for other in (*names, *besides):
                found.append(Way(_of_torch(_core(other)), "" if _core(other) == core else other))
    return found


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


@functools.cache
def _of_torch(core: str) -> Work:
    """All of torch that does what this core says."""
    things = _by_core()[core]
    return Work([function for thing in things for function in functions_of(thing)], _places(core))


def _places(core: str) -> list[tuple[str, str, str]]:
    return [
        (namespace, name, key)
        for operator in _OPERATORS.get(core, ())
        for namespace, _, name in [operator.partition("::")]
        for key in KEYS
        if torch._C._dispatch_has_kernel_for_dispatch_key(operator, key)
    ]


def operators(name: str) -> list[str]:
    """The operators that do the work of a function or class of this name.

    >>> operators("CosineSimilarity")
    ['aten::cosine_similarity']
    """
    return _OPERATORS.get(_core(name), [])


def _core(name: str) -> str:
    """What a name says, without the ways of doing it."""
    return "".join(word for word in name.lower().split("_") if word not in WAYS)


def _every_operator() -> dict[str, list[str]]:
    found = defaultdict(list)
    for full in sorted(torch._C._dispatch_get_all_op_names()):
        found[_core(full.split("::")[1].split(".")[0])].append(full)
    return found


@functools.cache
def _by_core() -> dict[str, list[Any]]:
    """Functions and classes in torch's modules, by what their names say."""
    found = defaultdict(list)
    for module_name in MODULES:
        with contextlib.suppress(ImportError):  # not in every version of torch
            for name, thing in vars(importlib.import_module(module_name)).items():
                if isinstance(thing, FunctionType | type):
                    found[_core(name)].append(thing)
    return found


def prepare() -> None:
    """Find all of `SAME_WORK`, once, in the server that kernels are forked from."""
    for names, _ in SAME_WORK:
        for name in names:
            _of_torch(_core(name))
    with refused(["torch.nn.LayerNorm", "torch.softmax"]):  # the first time costs most
        pass
    forget()


_OPERATORS = _every_operator()
