"""Calls all that torch, numpy, scipy and scikit-learn have, to find what gives a ready-made value even while refused.

    python tests/ready_made.py softmax

prints {"found": [what gives it], "left": [what gives it even while it is refused], "called": how many answered}.
It is a program of its own: some of what it calls changes the process that it is in.
"""

import contextlib
import importlib
import inspect
import io
import itertools
import json
import os
import random
import select
import signal
import sys
import tempfile
import warnings
from types import ModuleType

import numpy as np
import torch
import torch.onnx.ops
from torch.nn import functional as F

from coursekit.engine.kernel import torch_operators
from coursekit.engine.kernel.from_scratch import blocked
from coursekit.engine.shared import library
from coursekit.engine.supervisor.torch_library import Torch

torch.set_num_threads(1)  # a pool of threads would not survive the fork
torch.manual_seed(0)
X, Y = torch.randn(3, 4, dtype=torch.float64), torch.randn(3, 4, dtype=torch.float64)
FOUR = [torch.randn(1, 2, 3, 4) for _ in range(3)]
LABELS = torch.tensor([0, 3, 1])
CERTAIN = F.one_hot(LABELS, 4).double()
AXES = [
    ((), {}),
    ((-1,), {}),
    ((1, False), {}),
    ((-1, torch.float64), {}),
    ((), {"dim": -1}),
    ((), {"axis": -1}),
]
# {kind: (lists of a question, positional and named arguments, what is ready-made)}
KINDS = {
    "softmax": (
        ["torch.softmax"],
        [((X, *more), named) for more, named in AXES],
        [*(X.softmax(dim) for dim in (-1, 0)), *(X.logsumexp(dim) for dim in (-1, 0, (0, 1)))]
        + [X.log_softmax(-1)],
    ),
    "attention": (
        ["torch.nn.functional.scaled_dot_product_attention"],
        [(tuple(FOUR), {}), ((*FOUR, None), {})],
        [F.scaled_dot_product_attention(*FOUR)],
    ),
    "layer_norm": (
        ["torch.nn.LayerNorm"],
        [
            ((X,), {}),
            ((X, (4,)), {}),
            ((X, (4,), None, None, 1e-5), {}),
            ((X, (4,), torch.ones(4).double()), {}),
        ],
        [F.layer_norm(X, (4,)), F.layer_norm(X.T, (3,)).T],
    ),
    "cross_entropy": (
        ["torch.nn.CrossEntropyLoss"],
        [
            ((X, LABELS), {}),
            ((X, CERTAIN), {}),
            ((X.log_softmax(-1), LABELS), {}),
            ((X.log_softmax(-1), CERTAIN), {"reduction": "batchmean"}),
            ((X.log_softmax(-1), LABELS, None, 1, -100), {}),
            ((torch.distributions.Categorical(probs=CERTAIN), torch.distributions.Categorical(logits=X)), {}),
        ],
        [F.cross_entropy(X, LABELS), F.cross_entropy(X, LABELS, reduction="none")],
    ),
    "cosine": (
        ["torch.nn.CosineSimilarity"],
        [((X, Y), {}), ((X, Y, -1), {})],
        [F.cosine_similarity(X, Y)],
    ),
}
# They start programs, ask the network or another device, run tests, or change what all later calls give.
SKIPPED = (
    "torch.testing",
    "torch.distributed",
    "torch.multiprocessing",
    "torch.hub",
    "torch.cuda",
    "torch.xpu",
)
SKIPPED += (
    "torch.utils",
    "torch.package",
    "torch.jit",
    "torch.fx",
    "torch.compiler",
    "torch.export",
    "torch.mps",
)
SKIPPED += ("torch.backends", "torch.onnx.export", "torch.mtia", "torch.accelerator", "torch.profiler")
SKIPPED += ("torch.monitor", "torch.futures", "torch.overrides", "torch.ao.quantization", "torch.ao.ns")
SKIPPED += ("torch.ao.pruning", "numpy.f2py", "numpy.testing", "numpy.lib", "numpy.distutils", "numpy.typing")
SKIPPED += ("numpy.ctypeslib",)
# What answers may import, and what the server of kernels has not imported.
MODULES = (
    "scipy.spatial.distance",
    "scipy.special",
    "scipy.stats",
    "sklearn.metrics",
    "sklearn.preprocessing",
)
NEVER = ("save", "load", "test", "compile", "use_", "fromfile", "tofile", "export", "dump")
NEVER += ("set_", "empty", "new_empty", "masked_all", "seed", "manual_seed")


def public():
    """(name, what it is) of all that can be called."""
    for module_name, module in sorted(sys.modules.items()):
        inside = module_name.partition(".")[0] in torch_operators.LIBRARIES and not module_name.startswith(
            SKIPPED
        )
        if not inside or type(module) is not ModuleType or "._" in module_name:
            continue
        for name, thing in sorted(vars(module).items()):
            # What is a class of C++'s computes nothing, and some end the process that makes one.
            if (
                not callable(thing)
                or type(thing).__name__ == "pybind11_type"
                or name.startswith(("_", *NEVER))
            ):
                continue
            yield f"{module_name}.{name}", thing
            if isinstance(thing, np.ufunc):
                for method in ("reduce", "accumulate"):
                    yield f"{module_name}.{name}.{method}", getattr(thing, method)
    for kind in (torch.Tensor, np.ndarray):
        methods = [name for name in dir(kind) if not name.startswith(("_", *NEVER))]
        yield from ((f"{kind.__name__}.{name}", getattr(kind, name)) for name in methods)
    for operator in sorted(torch._C._dispatch_get_all_op_names()):
        namespace, _, rest = operator.partition("::")
        packet, _, overload = rest.partition(".")
        with contextlib.suppress(Exception):
            found = getattr(getattr(getattr(torch.ops, namespace), packet), overload or "default")
            yield f"torch.ops.{operator}", found


def calls(thing, arguments):
    """Functions that call it, or what it makes, with all arguments that are tried."""
    for positional, named in arguments:
        arrays = tuple(x.numpy() if isinstance(x, torch.Tensor) else x for x in positional)
        for given in (positional, arrays):
            yield lambda given=given, named=named: thing(*fresh(given), **named)
    if inspect.isclass(thing):
        positional = arguments[0][0]
        for given, named in [((), {}), ((4,), {}), ((-1,), {}), ((1, 4), {}), ((), {"dim": -1})]:
            yield lambda given=given, named=named: thing(*given, **named)(*fresh(positional))
            yield lambda given=given, named=named: thing(*given, **named).double()(*fresh(positional))
        yield lambda: thing(logits=fresh(positional)[0])
        yield lambda: thing(logits=X.clone()).log_prob(LABELS)
        yield lambda: thing(1, logits=fresh(positional)[0])


def fresh(values):
    copies = {np.ndarray: np.copy, torch.Tensor: torch.clone}
    return tuple(copies.get(type(value), lambda value: value)(value) for value in values)


def values(result):
    """Arrays in what came back."""
    if isinstance(result, torch.Tensor):
        plain = result.dequantize() if result.is_quantized else result.detach().to_dense()
        yield plain.double().numpy()
    elif isinstance(result, np.ndarray | np.generic | float):
        yield np.asarray(result, dtype=float)
    elif isinstance(result, tuple | list):
        for item in result[:6]:
            yield from values(item)
    elif isinstance(result, torch.distributions.Distribution):
        for name in ("probs", "logits"):
            yield from values(getattr(result, name, None))


def gives(call, wanted):
    """Whether it answers, and whether with something ready-made, also but for its sign."""
    signal.setitimer(signal.ITIMER_REAL, 5)
    try:
        random.seed(0), torch.manual_seed(0)
        found = list(values(call()))
    except BaseException:
        return False, False
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
    found = [value.squeeze() for value in found if value.size]
    same = (
        value.shape == want.shape and np.allclose(np.abs(value), np.abs(want), atol=2e-4)
        for value, want in itertools.product(found, wanted)
    )
    return True, any(same)


def search(kind):
    """What the program prints. What ends the process (some operators do) is passed over."""
    names, arguments, ready = KINDS[kind]
    wanted = [value.double().numpy().squeeze() for value in ready]
    things = list(public())
    answers, begun = [], 0
    while begun < len(things):
        read, write = os.pipe()
        if not (child := os.fork()):
            for place in range(begun, len(things)):
                os.write(write, f"{place}\n".encode())
                os.write(write, json.dumps(tried(*things[place], names, arguments, wanted)).encode() + b"\n")
            os._exit(0)
        os.close(write)
        written = b""
        while select.select([read], [], [], 20)[0] and (more := os.read(read, 1 << 16)):
            written += more
        os.close(read)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        for line in written.splitlines():
            if line.startswith(b"{"):
                answers.append(json.loads(line))
            else:
                begun = int(line) + 1
                last = things[int(line)][0]
        print(f"{last} was the last", file=sys.__stderr__)
    return {
        "found": sorted({answer["name"] for answer in answers if answer["found"]}),
        "left": sorted({answer["name"] for answer in answers if answer["left"]}),
        "called": sum(answer["answered"] for answer in answers),
    }


def tried(name, thing, names, arguments, wanted):
    answered = found = left = False
    for call in calls(thing, arguments):
        answers, same = gives(call, wanted)
        answered |= answers
        if same:
            found = True
            globals()["kept"] = call  # as a notebook keeps it
            with blocked(names, globals()):
                left |= gives(call, wanted)[1]
    return {"name": name, "answered": answered, "found": found, "left": left}


def alarm(*_):
    raise TimeoutError


if __name__ == "__main__":
    for module in MODULES:
        importlib.import_module(module)
    library.use(Torch())
    torch_operators.prepare()
    signal.signal(signal.SIGALRM, alarm)
    warnings.simplefilter("ignore")
    os.chdir(tempfile.mkdtemp())
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        result = search(sys.argv[1])
    print(json.dumps(result))
