"""Takes ready-made functions away from a process while a question is judged that says "from scratch".

A function of torch has many names, and a copy of it may have been kept. So no name is touched but what lies below all
of them: a function written in Python gets another code, a class has its methods' code replaced, and an operator is
replaced in torch's one table, for every thread. What does the same work goes with it, see `SAME_WORK`. Afterwards all
is as it was.
"""

import contextlib
import functools
import importlib
import re
import warnings
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from types import CodeType, FunctionType, ModuleType
from typing import Any

import torch

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

# What a class needs to be made and shown; all else of it is its work.
NOT_WORK = re.compile(r"__.*__|_?reset_parameters|extra_repr")


@dataclass
class _Work:
    """Whatever does one piece of work, as it is when nothing is refused."""

    functions: list[FunctionType] = field(default_factory=list)
    places: list[tuple[str, str, str]] = field(default_factory=list)  # (namespace, operator, dispatch key)
    names: list[tuple[ModuleType, str, Any]] = field(default_factory=list)  # of what is not written in Python


_known: dict[str, list[tuple[str, _Work]]] = {}  # dotted name -> [(what was called, who does it)]


def look_up(names: Iterable[str]) -> None:
    """Find what is behind these names. Called before any student code runs, which may put other things there.

    Unknown names are left alone: a library that lacks the function cannot lend it.
    """
    for dotted in names:
        if dotted not in _known:
            _known[dotted] = _find(dotted)


def _find(dotted: str) -> list[tuple[str, _Work]]:
    module_name, _, name = dotted.rpartition(".")
    try:
        module = importlib.import_module(module_name)
        thing = getattr(module, name)
    except (ImportError, AttributeError, ValueError):
        return []
    own = _Work(functions=_functions(thing))
    found = [(name, own)]
    if module_name.partition(".")[0] == "torch":
        core = _core(name)
        found.append((name, _of_torch(core)))
        for names, besides in SAME_WORK:
            if core in map(_core, names):
                found += [(other, _of_torch(_core(other))) for other in (*names, *besides)]
    elif not own.functions:
        own.names.append((module, name, thing))
    return found


@functools.cache
def _of_torch(core: str) -> _Work:
    """All of torch that does what this core says."""
    things = _by_core()[core]
    return _Work([function for thing in things for function in _functions(thing)], _places(core))


def _places(core: str) -> list[tuple[str, str, str]]:
    return [
        (*operator.split("::"), key)
        for operator in _OPERATORS.get(core, ())
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


def _functions(thing: Any) -> list[FunctionType]:
    """The functions of Python's that do a function's or a class's work, its subclasses' too."""
    if isinstance(thing, type):
        parts = [value for name, value in vars(thing).items() if not NOT_WORK.fullmatch(name)]
        found = [function for part in parts if not isinstance(part, type) for function in _functions(part)]
        # A class of another metaclass has another `__subclasses__`.
        return found + [item for kind in type.__subclasses__(thing) for item in _functions(kind)]
    if isinstance(thing, staticmethod | classmethod):
        thing = thing.__func__
    elif isinstance(thing, property):
        thing = thing.fget
    found = []
    while isinstance(thing, FunctionType):
        found.append(thing)
        thing = getattr(thing, "__wrapped__", None)
    return found


@contextlib.contextmanager
def refused(names: Iterable[str]) -> Iterator[None]:
    """All that is behind these names raises a sentence, in every thread, until this ends.

    Raises in whoever calls one of them:
        RuntimeError: it names what is refused.
    """
    names = tuple(names)
    look_up(names)
    # First what is listed itself, then what has another name, then what does the same work: the sentence names it.
    found = [(place, dotted, *work) for dotted in names for place, work in enumerate(_known.get(dotted, ()))]
    found.sort(key=lambda item: min(item[0], 2))
    tables: dict[str, Any] = {}
    codes: dict[FunctionType, CodeType] = {}
    taken: set[tuple[str, str, str]] = set()
    replaced = []
    try:
        for _, dotted, called, work in found:
            sentence = _sentence(dotted, called)
            for function in work.functions:
                if function not in codes:
                    codes[function] = function.__code__
                    function.__code__ = _raising(sentence, function.__code__)
            refuse = _refuse(sentence)
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # torch warns that there was something in that place
                for place in work.places:
                    if place not in taken:
                        taken.add(place)
                        namespace, operator, key = place
                        if namespace not in tables:
                            tables[namespace] = torch._C._dispatch_library("IMPL", namespace, "")
                        tables[namespace].impl(operator, torch._C._parse_dispatch_key(key), refuse)
            for module, name, thing in work.names:
                replaced.append((module, name, thing))
                setattr(module, name, refuse)
        yield
    finally:
        for table in tables.values():
            table.reset()  # every place is given back
        for function, code in codes.items():
            function.__code__ = code
        for module, name, thing in replaced:
            setattr(module, name, thing)


def _sentence(dotted: str, called: str) -> str:
    name = dotted.rpartition(".")[2]
    besides = "" if _core(name) == _core(called) else f", nor is {called}, which can do its work"
    return f"{dotted} is not available while this question is judged{besides}: build it yourself"


def _refuse(sentence: str) -> Callable:
    def refuse(*_: Any, **__: Any) -> Any:
        raise RuntimeError(sentence)

    return refuse


def _raise(*_: Any, **__: Any) -> Any:
    raise RuntimeError("sentence")


def _raising(sentence: str, code: CodeType) -> CodeType:
    """A code that raises, for a function that has this one: it brings its own number of free variables."""
    constants = tuple(sentence if value == "sentence" else value for value in _raise.__code__.co_consts)
    return _raise.__code__.replace(
        co_consts=constants, co_freevars=code.co_freevars, co_name=code.co_name, co_qualname=code.co_qualname
    )


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
    _known.clear()


_OPERATORS = _every_operator()
