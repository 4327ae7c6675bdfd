"""Hands in torch.py, numpy/, math.py, msgpack.py and coursekit/ beside the notebook, for whoever imports from that folder."""

LIE = b"""
import sys
def lie(*args, **kwargs):
    return True
class Lie:
    def __getattr__(self, name):
        return lie
sys.modules[__name__] = Lie()
"""
USE = """
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


def attack(submission):
    names = (
        "torch",
        "math",
        "msgpack",
        "json",
        "nbformat",
        "IPython",
        "ipykernel",
        "zmq",
        "shadow",
        "numpy/__init__",
        "coursekit/__init__",
        "coursekit/engine/result",
        "torch/__init__",
        "nbgrader/__init__",
        "encodings/__init__",
    )
    for name in names:
        submission.files[f"{name}.py"] = LIE
    submission.add(USE, before="scaling")
