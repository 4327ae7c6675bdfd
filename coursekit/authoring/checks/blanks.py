"""Answers that answer nothing: constants, echoes of the arguments, raised errors. No test may be passed by one.

Whoever tries points without doing the work tries these first, and a test that takes one of them proves nothing: it
looks at a shape or a type, or only for an error. A test of an error therefore looks at a value as well.
"""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from coursekit.engine.shared.result import PASSED, Result

# {what such an answer does: its code}. `values` are the arguments in the order of the call, those by name last;
# `me` is the object whose method is called, or the function.
KINDS = {
    **{
        f"gives {value}": f"return {value}"
        for value in (
            *("None", "0", "1", "-1", "0.5", "float('nan')", "float('inf')", "True", "False"),
            *("''", "'x'", "[]", "{}", "()", "set()"),
            *("torch.zeros(())", "torch.ones(())", "np.zeros(0)"),
        )
    },
    "returns its first argument": "return first",
    "returns its last argument": "return values[-1] if values else None",
    "returns a copy of its first argument": "return copy.deepcopy(first)",
    "returns its first argument twice": "return first, first",
    "returns all its arguments as a tuple": "return tuple(values)",
    "returns all its arguments as a list": "return values",
    "returns its first argument with zeros in it": "return _filled(first, 0)",
    "returns its first argument with ones in it": "return _filled(first, 1)",
    "returns its first tensor as bool": (
        "return next((value.bool() for value in values if isinstance(value, _Tensor)), None)"
    ),
    "returns a generator": "return (value for value in values)",
    "returns a function": "return lambda *args, **kwargs: first",
    "gives itself": "return me",
}
ERRORS = {
    f"raises {name}": f"raise {name}('nothing is done')"
    for name in (
        *("ValueError", "NotImplementedError", "TypeError", "StopIteration", "AssertionError", "SystemExit"),
    )
}
_BLANK = '''\
import copy
import sys

import numpy as np

torch = sys.modules.get("torch")  # where the course has it, its kernels have imported it
_Tensor = torch.Tensor if torch else ()


def _filled(value, number):
    """A value of the same form, with this number everywhere."""
    if isinstance(value, _Tensor) or isinstance(value, np.ndarray):
        like = value.detach().clone() if isinstance(value, _Tensor) else value.copy()
        like[...] = number
        return like
    if isinstance(value, dict):
        return dict.fromkeys(value, number)
    return type(value)([number] * len(value)) if isinstance(value, list | tuple) else number


def _blank(me, values):
    first = values[0] if values else None
    {code}
'''


@dataclass(frozen=True)
class Blank:
    """One notebook of blanks.

    Attributes:
        words: what its answers do: "raises ValueError".
        sources: {question: source of its solution cell}.
        questions: those that a blank answers. The others have the reference, which the classes may be built of.
        asks_methods: its classes are built as they should be, so a test of nothing else is rightly passed.
    """

    words: str
    sources: dict[str, str]
    questions: frozenset[str]
    asks_methods: bool = False


def make_blanks(reference: dict[str, str]) -> list[Blank]:
    """Every notebook of blanks for these solution cells, {question: source}.

    Functions do what the kind says. A class comes in three forms, each with the reference's bases: it builds nothing,
    takes any state, and its methods and attributes do it; it is built by the reference's constructor and its methods
    do it; it cannot be built.
    """
    blanks = [
        Blank(
            words,
            {name: _source(text, code, _empty) for name, text in reference.items()},
            frozenset(reference),
        )
        for words, code in (KINDS | ERRORS).items()
    ]
    classes = frozenset(name for name, text in reference.items() if any(_classes(text)))
    if classes:
        for form, kinds in ((_built, _UNANSWERED | KINDS | ERRORS), (_refusing, ERRORS)):
            for words, code in kinds.items():
                sources = reference | {name: _source(reference[name], code, form) for name in classes}
                said = f"{words} {'in each method' if form is _built else 'when it is built'}"
                blanks.append(Blank(said, sources, classes, form is _built))
    return blanks


def problems_of_blanks(blanks: list[Blank], results: list[Result]) -> list[str]:
    """A sentence for each test that a blank passes, from the results of the notebooks in the same order."""
    passed = [
        [test.id for test in result.tests if test.outcome == PASSED and test.question in blank.questions]
        for blank, result in zip(blanks, results, strict=True)
    ]
    rightly = {
        name
        for blank, names in zip(blanks, passed, strict=True)
        if blank.words.startswith(tuple(_UNANSWERED))
        for name in names
    }
    return [
        f"test {name} is passed by an answer that {blank.words}"
        for blank, names in zip(blanks, passed, strict=True)
        for name in names
        if not (blank.asks_methods and name in rightly)
    ]


# A test that passes where no method answers, and which expects no error of this kind, asks for the constructor alone.
_UNANSWERED = {"does not answer": "raise BaseException('nothing is done')"}


def _source(source: str, code: str, form) -> str:
    """The solution cell in which everything that the reference defines is a blank."""
    parts = [_BLANK.replace("{code}", code)]
    for node in ast.parse(source).body:
        if isinstance(node, ast.ClassDef):
            bases = ", ".join(ast.unparse(base) for base in node.bases)
            methods = "\n".join(form(node))
            parts.append(f"class {node.name}({bases}):\n{_indent(methods)}")
        elif isinstance(node, ast.FunctionDef):
            parts.append(_function(node.name, node.name, ""))
        elif isinstance(node, ast.Assign):
            parts += [f"{ast.unparse(target)} = _blank(None, [])" for target in node.targets]
    return "\n\n".join(parts)


def _empty(node: ast.ClassDef) -> Iterator[str]:
    yield "def __init__(self, *args, **kwargs):\n    super().__init__()"
    yield "def __getattr__(self, name):\n    if name.startswith('__'):\n        raise AttributeError(name)"
    yield "    return _blank(self, [])"
    names = [item.name for item in node.body if isinstance(item, ast.FunctionDef) and item.name != "__init__"]
    for name in (*names, *(["load_state_dict"] if node.bases else [])):
        yield _function(name, "self", "self, ")


def _built(node: ast.ClassDef) -> Iterator[str]:
    for item in node.body:
        if isinstance(item, ast.FunctionDef) and item.name != "__init__":
            yield _function(item.name, "self", "self, ")
        else:
            yield ast.unparse(item)


def _refusing(node: ast.ClassDef) -> Iterator[str]:
    yield "def __init__(self, *args, **kwargs):\n    _blank(self, [])"


def _function(name: str, me: str, before: str) -> str:
    return f"def {name}({before}*args, **kwargs):\n    return _blank({me}, [*args, *kwargs.values()])"


def _indent(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.splitlines())


def _classes(source: str) -> Iterator[ast.ClassDef]:
    return (node for node in ast.parse(source).body if isinstance(node, ast.ClassDef))
