"""Hands in modules that are not installed but are looked for by torch, IPython and others, and imports them."""

PATCH = b"""
import builtins, sys
from coursekit.engine.kernel import agent
agent.Agent._do = lambda self, *request: True
agent.describe = lambda error: (["AssertionError"], "passed", "")
builtins.isinstance = lambda *args: True
sys.modules["torch"].allclose = lambda *args, **named: True
"""
NAMES = ("curio", "trio", "debugpy", "triton", "onnx", "optree", "ipywidgets", "cloudpickle", "nest_asyncio2")
FILES = {f"{name}.py": PATCH for name in NAMES}
CELL = """
import importlib, os, sys
own = []
for name in ("curio", "trio", "triton", "onnx", "nest_asyncio2"):
    sys.modules.pop(name, None)
    try:
        own.append(importlib.import_module(name).__file__.startswith(os.getcwd()))
    except BaseException as error:
        print(name, type(error).__name__, error)
reached(any(own))
"""
BEFORE = "scaling"
