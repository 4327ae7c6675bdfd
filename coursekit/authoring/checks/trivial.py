"""Answers that do nothing: constants, their own arguments, raised errors. No test may be passed by one.

Anyone who wants points without doing the work tries these first, and a test that accepts one of them proves nothing: it
checks only a shape or a type, or only an error. A test of an error must therefore check a value as well.
"""

import ast
from collections.abc import Iterator

from coursekit.engine.shared.master import Master

VALUES = (
    *("None", "0", "1", "-1", "0.5", "float('nan')", "float('inf')", "True", "False"),
    *("''", "'x'", "[]", "{}", "()", "set()", "torch.zeros(())", "torch.ones(())", "np.zeros(0)"),
)
ERRORS = ("ValueError", "NotImplementedError", "TypeError", "StopIteration", "AssertionError", "SystemExit")
RAISING = {f"raises {name}": f"raise {name}('nothing is done')" for name in ERRORS}
# {what such an answer does: its code}. `values` are the call's arguments, keyword arguments last, and `first` is the
# first of them or None; `me` is the object whose method is called, or the function.
KINDS = {
    **{f"gives {value}": f"return {value}" for value in VALUES},
    "returns its first argument": "return first",
    "returns its last argument": "return values[-1] if values else None",
    "returns a copy of its first argument": "return copy.deepcopy(first)",
    "returns its first argument twice": "return first, first",
    "returns all its arguments as a tuple": "return tuple(values)",
    "returns all its arguments as a list": "return values",
    "returns its first argument with zeros in it": "return filled(first, 0)",
    "returns its first argument with ones in it": "return filled(first, 1)",
    "returns its first tensor as bool": (
        "return next((value.bool() for value in values if isinstance(value, Tensor)), None)"
    ),
    "returns a generator": "return (value for value in values)",
    "returns a function": "return lambda *args, **kwargs: first",
    "gives itself": "return me",
    **RAISING,
}
# A test that passes although each method raises this error, which no test expects, checks only the constructor.
NO_METHOD = {"does not answer": "raise BaseException('nothing is done')"}
# The part of a class that is replaced: all but its bases; its methods; its constructor.
WHOLE, METHODS, CONSTRUCTOR = "", " in each method", " when it is built"
# Runs at the end of a solution cell, and replaces the names that the cell defines. Of a class with bases (`nn.Module`)
# also `load_state_dict` is replaced: the inherited one would raise, since there are no parameters to load into.
_REPLACE = """

def _replace():
    import copy
    import sys
    from types import FunctionType

    import numpy as np

    torch = sys.modules.get("torch")  # where the course has it, its kernels have imported it
    Tensor = torch.Tensor if torch else ()

    def filled(value, number):
        if isinstance(value, Tensor) or isinstance(value, np.ndarray):
            like = value.detach().clone() if isinstance(value, Tensor) else value.copy()
            like[...] = number
            return like
        if isinstance(value, dict):
            return dict.fromkeys(value, number)
        return type(value)([number] * len(value)) if isinstance(value, list | tuple) else number

    def answer(me, values):
        first = values[0] if values else None
        ANSWER

    def method(me, *args, **kwargs):
        return answer(me, [*args, *kwargs.values()])

    def function():
        def replaced(*args, **kwargs):
            return answer(replaced, [*args, *kwargs.values()])
        return replaced

    def whole(real, methods):
        class Replaced(*real.__bases__):
            def __init__(self, *args, **kwargs):
                super().__init__()
            def __getattr__(self, name):
                if name.startswith("__"):
                    raise AttributeError(name)
                return answer(self, [])
        Replaced.__name__ = Replaced.__qualname__ = real.__name__
        for name in [*methods, *(["load_state_dict"] if real.__bases__ != (object,) else [])]:
            setattr(Replaced, name, method)
        return Replaced

    for name in NAMES:
        real = globals()[name]
        if not isinstance(real, type):
            globals()[name] = function() if isinstance(real, FunctionType) else answer(None, [])
            continue
        methods = [key for key, item in vars(real).items() if isinstance(item, FunctionType) and key != "__init__"]
        if FORM == "":
            globals()[name] = whole(real, methods)
        for key in {" in each method": methods, " when it is built": ["__init__"]}.get(FORM, []):
            setattr(real, key, method)


_replace()
"""


def trivial_answers(master: Master) -> Iterator[tuple[str, str, dict[str, str]]]:
    """Yield (part of a class that is replaced, description of the answers, {question: source of its solution cell}).

    First all questions are answered trivially. Then only those whose answer defines a class: with the reference's
    constructor and trivial methods, and last with a constructor that raises.
    """
    names = {question.id: question.names for question in master.questions if question.names}
    classes = {
        name: names[name]
        for name in names
        if any(isinstance(node, ast.ClassDef) for node in ast.parse(master.solutions[name]).body)
    }
    for form, kinds, questions in (
        (WHOLE, KINDS, names),
        (METHODS, NO_METHOD | KINDS, classes),
        (CONSTRUCTOR, RAISING, classes),
    ):
        for kind, code in kinds.items() if questions else ():
            replace = _REPLACE.replace("ANSWER", code).replace("FORM", repr(form))
            yield (
                form,
                kind + form,
                {
                    name: master.solutions[name] + replace.replace("NAMES", repr(defined))
                    for name, defined in questions.items()
                },
            )
