"""What is used of libraries without their promise: each thing is still there, and each thing used is named.

When an upgrade fails here, the message says what it breaks. Look at the new code of the library, then at ours.
"""

import ast
import importlib
import inspect
import json
import re
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest
from ipykernel.heartbeat import Heartbeat
from ipykernel.iostream import OutStream
from ipykernel.ipkernel import IPythonKernel
from ipykernel.kernelapp import IPKernelApp
from ipykernel.zmqshell import ZMQInteractiveShell

from coursekit.engine.kernel import kernel, torch_operators
from coursekit.private_names import IPYKERNEL, NBGRADER, PYTHON, TORCH

PACKAGE = Path(kernel.__file__).parent.parent.parent
LIBRARIES = {"ipykernel": IPYKERNEL, "torch": TORCH, "nbgrader": NBGRADER, "Python": PYTHON}
USED = [(library, name, words) for library, names in LIBRARIES.items() for name, words in names.items()]


def missing(name):
    """What is wrong with "module:name(arguments)"; "" when it is as it was."""
    module_name, _, rest = name.partition(":")
    dotted, bracket, arguments = rest.partition("(")
    try:
        found = module = importlib.import_module(module_name)
    except ImportError as error:
        return f"cannot be imported ({error})"
    steps = dotted.split(".") if dotted else []
    for number, step in enumerate(steps):
        owner, last = found, number == len(steps) - 1
        if hasattr(owner, step):
            found = getattr(owner, step)
        elif last and inspect.isclass(owner) and f"self.{step}" in inspect.getsource(owner):
            return ""  # an instance has it
        else:
            return f"{module.__name__} has no {dotted}"
    if bracket:
        now = ", ".join(inspect.signature(found).parameters)
        if now != arguments[:-1]:
            return f"it takes ({now}) now, and not ({arguments}"
    return ""


@pytest.fixture(scope="module")
def wrongs():
    """{name: what is wrong with it}, seen by a new process: in this one, other tests have had parts replaced."""
    done = subprocess.run([sys.executable, __file__], capture_output=True, text=True, check=True)
    return json.loads(done.stdout)


@pytest.mark.slow
@pytest.mark.parametrize("library, name, words", USED, ids=[name for _, name, _ in USED])
def test_it_is_as_it_was(wrongs, library, name, words):
    wrong = wrongs[name]
    installed = sys.version if library == "Python" else version(library)
    assert wrong == "", f"{library} {installed}: {name}: {wrong}. What no longer holds: {words}."


@pytest.mark.parametrize(
    "name, wrong",
    [
        ("ipykernel.iostream:OutStream._no_such(self)", "ipykernel.iostream has no OutStream._no_such"),
        (
            "ipykernel.iostream:OutStream.write(self, text)",
            "it takes (self, string) now, and not (self, text)",
        ),
        ("torch._no_such_module", "cannot be imported"),
    ],
)
def test_a_change_would_be_reported(name, wrong):
    assert wrong in missing(name)


def trees(folder):
    return {path: ast.parse(path.read_text(encoding="utf-8")) for path in sorted(folder.rglob("*.py"))}


# Names with an underscore that their libraries document.
DOCUMENTED = {"_exit", "_fields", "_mapping", "_replace"}


def private_names(trees):
    """{attribute with one leading underscore: where it is used} for those that none of these modules defines."""
    nodes = [(path, node) for path, tree in trees.items() for node in ast.walk(tree)]
    own = set()
    for _, node in nodes:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            own.add(node.name)
        elif isinstance(node, ast.Attribute | ast.Name) and isinstance(node.ctx, ast.Store):
            own.add(node.attr if isinstance(node, ast.Attribute) else node.id)
    return {
        node.attr: f"{path.name}:{node.lineno}"
        for path, node in nodes
        if isinstance(node, ast.Attribute) and re.match(r"_[^_]", node.attr) and node.attr not in own
    }


@pytest.mark.slow
def test_every_private_name_of_a_library_is_registered():
    ours = {path: tree for path, tree in trees(PACKAGE).items() if "small_course" not in path.parts}
    registered = {part for _, name, _ in USED for part in re.split(r"[.:(]", name)}
    found = private_names(ours)
    assert {name: where for name, where in found.items() if name not in registered | DOCUMENTED} == {}


def test_a_private_name_would_be_found():
    tree = ast.parse("class Own:\n    def _mine(self):\n        return self._mine, self.handler._reason")
    assert private_names({Path("planted.py"): tree}) == {"_reason": "planted.py:3"}


@pytest.mark.slow
def test_all_of_nbgrader_that_is_used_is_named():
    """And it is used in one package, but for its tables in marking and its plugins in export."""
    others = {"deliver/marking/store.py": "nbgrader.api", "deliver/export/nbgrader_plugin.py": "nbgrader."}
    used = set()
    for path, tree in trees(PACKAGE).items():
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module.split(".")[0] == "nbgrader":
                other = others.get(path.relative_to(PACKAGE).as_posix())
                assert path.parent == PACKAGE / "gradebook" or (other and node.module.startswith(other)), path
                used |= {f"{node.module}:{alias.name}" for alias in node.names}
            elif isinstance(node, ast.Import):
                assert not any(alias.name.startswith("nbgrader") for alias in node.names), path
    named = {re.split(r"[.(]", name.partition(":")[2])[0]: name for name in NBGRADER}
    assert {name for name in used if name.partition(":")[2] not in named} == set()


@pytest.mark.slow
def test_all_of_torch_s_inside_that_is_used_is_named():
    used = set()
    for tree in trees(PACKAGE).values():
        for node in ast.walk(tree):
            if isinstance(node, ast.Attribute):
                text = ast.unparse(node)
                if re.fullmatch(r"torch(\.\w+)*\._C\.\w+", text):
                    used.add(text.replace("torch.", "torch:", 1))
    modules = {name for name in torch_operators.MODULES if "._" in name}
    inside = {name for name in TORCH if not name.startswith(("torch.library:", "torch.nn:"))}
    assert used | modules | {"torch._dynamo"} == inside


@pytest.mark.slow
def test_all_of_ipykernel_s_inside_that_is_used_is_named():
    """What our classes override of ipykernel's, and what they call that begins with an underscore."""
    named = {re.split(r"[(]", name.partition(":")[2])[0].rpartition(".")[2] for name in IPYKERNEL}
    bases = {
        "Shell": ZMQInteractiveShell,
        "Stream": OutStream,
        "ListeningHeartbeat": Heartbeat,
        "KernelApp": IPKernelApp,
        "Kernel": IPythonKernel,
    }
    (tree,) = (tree for path, tree in trees(PACKAGE).items() if path == Path(kernel.__file__))
    for node in tree.body:
        base = bases.pop(node.name, None) if isinstance(node, ast.ClassDef) else None
        if base is None:
            continue
        own = {item.name for item in node.body if isinstance(item, ast.FunctionDef | ast.AsyncFunctionDef)}
        own |= {item.targets[0].id for item in node.body if isinstance(item, ast.Assign)}
        own |= {item.target.id for item in node.body if isinstance(item, ast.AnnAssign) and item.value}
        overridden = {name for name in own if hasattr(base, name) and not name.startswith("__")}
        private = {
            item.attr
            for item in ast.walk(node)
            if isinstance(item, ast.Attribute)
            and item.attr.startswith("_")
            and not item.attr.startswith("__")
            and ast.unparse(item.value) in ("self", "super()")
        }
        theirs = inspect.getsource(base)
        made_here = {
            item.attr
            for item in ast.walk(node)
            if isinstance(item, ast.Attribute)
            and isinstance(item.ctx, ast.Store)
            and not hasattr(base, item.attr)
            and f"self.{item.attr}" not in theirs
        }
        assert overridden | (private - own - made_here) <= named, node.name
    assert bases == {}


if __name__ == "__main__":
    print(json.dumps({name: missing(name) for _, name, _ in USED}))
