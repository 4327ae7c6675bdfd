"""Hands in a module that looks for the refused function in torch's registry, in frames and among all objects."""

MODULE = b"""
import gc, sys
import torch

found = []
try:
    found.append(torch.ops.aten.scaled_dot_product_attention.default)
except Exception:
    pass
found += [one for one in gc.get_objects() if getattr(one, "__name__", "") == "scaled_dot_product_attention"][:5]
frame = sys._getframe()
while frame is not None:
    found += [value for name, value in frame.f_locals.items() if "attention" in str(name)]
    frame = frame.f_back


def attend(Q, K, V, mask=None):
    for function in found:
        try:
            return function(Q, K, V, mask), torch.ones(*Q.shape[:-1], K.shape[-2])
        except Exception:
            pass
    raise RuntimeError("none")
"""
FILES = {"around.py": MODULE}
ANSWERS = {"attention": "from around import attend as scaled_dot_product_attention, found\nreached(found)"}
