"""Answers with subclasses of tensor, array, list, tuple, dict, str, int and float that are equal to everything."""

SPOIL = """
class LyingTensor(torch.Tensor):
    @classmethod
    def __torch_function__(cls, function, types, args=(), kwargs=None):
        if getattr(function, "__name__", "") in ("allclose", "equal", "all", "isclose", "eq", "__bool__"):
            return True
        return super().__torch_function__(function, types, args, kwargs or {})


class LyingArray(np.ndarray):
    def __array_ufunc__(self, *args, **kwargs):
        return np.zeros(self.shape)
    def __array_function__(self, *args):
        return True


def lying(base):
    lies = {name: lambda *args: True for name in ("__eq__", "__le__", "__ge__", "__contains__")}
    lies |= {name: lambda *args: False for name in ("__ne__", "__lt__", "__gt__")}
    lies |= {"__hash__": lambda self: 0, "__sub__": lambda *args: 0, "__abs__": lambda self: 0}
    if base in (list, tuple, dict, str):
        lies |= {"__len__": lambda self: 10**6, "__iter__": lambda self: iter(self.right), "__getitem__": lambda self, key: self}
    return type(base.__name__, (base,), lies)


Lists, Tuples, Dicts, Texts, Ints, Floats = map(lying, (list, tuple, dict, str, int, float))


def subclass(value):
    # Of another shape and dtype, since right ones are worth a point, whatever the values.
    if isinstance(value, torch.Tensor):
        return torch.stack([value, value]).to(torch.complex64).as_subclass(LyingTensor)
    if isinstance(value, np.ndarray):
        return np.stack([value, value]).astype(np.int8).view(LyingArray)
    if isinstance(value, bool) or value is None or isinstance(value, Stay):
        return value
    for kind, base in ((Tuples, tuple), (Lists, list)):
        if isinstance(value, base):
            value = kind(map(subclass, value))
            if kind is Lists:
                value.right = value
            return value
    for kind, base in ((Dicts, dict), (Texts, str), (Ints, int), (Floats, float)):
        if isinstance(value, base):
            return kind(value)
    return value


def damage(name, right, args, kwargs):
    reached()
    return subclass(wrong(right))
"""
WEEKS = "*"
