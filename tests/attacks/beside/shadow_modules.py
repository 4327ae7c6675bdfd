"""Hands in torch.py, numpy/, math.py, msgpack.py and coursekit/ beside the notebook, to be imported from there."""

LIE = b"""
import sys
def lie(*args, **kwargs):
    return True
class Lie:
    def __getattr__(self, name):
        return lie
sys.modules[__name__] = Lie()
"""
CELL = """
import sys, os
for place in ("", ".", os.getcwd(), os.path.join(os.getcwd(), "week1_attention")):
    sys.path.insert(0, place)
for name in ("numpy", "torch", "msgpack", "coursekit", "shadow"):
    sys.modules.pop(name, None)
try:
    import shadow
    print("shadow imported")
except ImportError as error:
    print(error)
reached()
"""
BEFORE = "scaling"
FILES = dict.fromkeys(
    (f"{name}.py" for name in ("torch", "math", "msgpack", "json", "nbformat", "IPython", "zmq", "shadow")),
    LIE,
) | dict.fromkeys(
    (f"{name}/__init__.py" for name in ("numpy", "coursekit", "torch", "nbgrader", "encodings")), LIE
)
