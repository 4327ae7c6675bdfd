"""Answers with tensors without ordinary numbers: meta, sparse, nested, quantised, fake, conjugated, negated."""

ANSWER = """
import torch
makers = [
    lambda shape: torch.zeros(shape, device="meta"),
    lambda shape: torch.zeros(shape).to_sparse(),
    lambda shape: torch.quantize_per_tensor(torch.zeros(shape), 0.1, 0, torch.qint8),
    lambda shape: torch.nested.nested_tensor([torch.zeros(2), torch.zeros(3)]),
    lambda shape: torch._C._functorch._add_batch_dim(torch.zeros(2, *shape), 0, 1),
    lambda shape: torch.zeros(shape, dtype=torch.complex64).conj().imag,
    lambda shape: torch._neg_view(torch.zeros(shape)),
    lambda shape: torch.as_strided(torch.zeros(1), shape, [0] * len(shape)),
    lambda shape: torch.nn.Parameter(torch.zeros(shape)),
    lambda shape: torch._subclasses.FakeTensorMode().from_tensor(torch.zeros(shape)),
    lambda shape: torch.zeros(shape).to(torch.float8_e4m3fn),
]

def give(first=None, *args, **kwargs):
    reached()
    makers.append(makers.pop(0))
    return makers[0](tuple(getattr(first, "shape", (4, 4))))
"""
