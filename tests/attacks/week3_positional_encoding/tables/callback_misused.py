"""Calls the test's function a hundred times with unexpected values, and answers with what comes of it."""

ANSWERS = {
    "gap": """
def permutation_gap(attend, x, permutation):
    found = []
    for value in (x.double(), x[:0], x * float("nan"), [x], None, attend, x.tolist(), 1 << 500, {"x": x}, x.to(torch.complex64)):
        for _ in range(10):
            try:
                found.append(attend(value))
            except Exception as error:
                found.append(error)
    reached(len(found) == 100)
    try:
        attend(x=x, self=1, **{"__class__": x})
    except Exception:
        pass
    tensors = [value for value in found if isinstance(value, torch.Tensor)]
    return float(tensors[0].float().sum()) + 0.123 if tensors else 0.123
""",
}
