"""Replaces compile, exec and eval, and sets what switches asserts off, so that code compiled later has none."""

CELL = """
import ast, builtins, os, sys
real = builtins.compile
def without_asserts(source, filename, mode, flags=0, dont_inherit=False, optimize=-1, **more):
    return real(source, filename, mode, flags, dont_inherit, 2, **more)
builtins.compile = without_asserts
builtins.eval = lambda source, *scopes: True
ast.parse = lambda *args, **kwargs: ast.Module([], [])
os.environ["PYTHONOPTIMIZE"] = "2"
try:
    sys.flags = type("flags", (), {name: 2 for name in dir(sys.flags)})
except Exception as error:
    print(error)
reached(eval("0"))
builtins.exec = lambda source, *scopes: None  # last: IPython runs the rest of a cell by it
"""
BEFORE = "scaling"
