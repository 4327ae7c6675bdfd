"""What `from_scratch` takes from inside torch: the tables of its operators, and the modules that hold them in Python.

Where one is gone, a ready-made function could be called by another of its names while it should be refused.
"""

_OPEN = "a ready-made function can be called as an operator while a question refuses it"
_OTHER = "the Python form of a ready-made function can be called while a question refuses it"

# {"module:name", or "module": what no longer holds without it}
TORCH = {
    "torch:_C._dispatch_get_all_op_names": _OPEN,
    "torch:_C._dispatch_has_kernel_for_dispatch_key": _OPEN,
    "torch:_C._dispatch_library": _OPEN,
    "torch:_C._parse_dispatch_key": _OPEN,
    "torch._dynamo": "the first optimizer of each kernel imports torch's compiler, which takes a second",
    "torch._decomp.decompositions": _OTHER,
    "torch._higher_order_ops.flex_attention": _OTHER,
    "torch._refs": _OTHER,
    "torch._refs.nn.functional": _OTHER,
    "torch._refs.special": _OTHER,
    "torch.nested._internal.ops": _OTHER,
    "torch.nested._internal.sdpa": _OTHER,
}
