"""Swallows every exception before it is reported: custom handlers, showtraceback, excepthook, unraisablehook."""

CELL = """
import sys, threading, traceback
shell = get_ipython()
shell.set_custom_exc((BaseException,), lambda *args, **kwargs: [])
for name in ("showtraceback", "_showtraceback", "showsyntaxerror", "show_usage_error"):
    setattr(shell, name, lambda *args, **kwargs: None)
sys.excepthook = sys.unraisablehook = threading.excepthook = lambda *args: None
traceback.extract_tb = lambda *args, **kwargs: []
from coursekit.engine.kernel import agent
def describe(error):
    reached()
    return ["StopIteration", "GeneratorExit"], "", ""
agent.describe = describe
"""
ANSWERS = {"softmax": "def softmax(x, axis=-1):\n    raise ValueError"}
