"""Puts lying modules into sys.modules and an import hook in front of torch, numpy, msgpack and coursekit."""

CELL = """
import sys, types, importlib.abc, importlib.machinery

class Lie(types.ModuleType):
    def __getattr__(self, name):
        return lambda *args, **kwargs: True

class Hook(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("coursekit", "msgpack", "pytest", "nbgrader"):
            return importlib.machinery.ModuleSpec(name, self)
    def create_module(self, spec):
        return Lie(spec.name)
    def exec_module(self, module):
        pass

sys.meta_path.insert(0, Hook())
for name in list(sys.modules):
    if name.split(".")[0] in ("coursekit", "nbgrader") and "student" not in name and "kernels" not in name:
        sys.modules[name] = Lie(name)
import pytest, coursekit.engine.shared.result
reached(pytest.__class__ is Lie, sys.modules["coursekit.engine.shared.result"].__class__ is Lie)
"""
BEFORE = "scaling"
