"""Calls the reference definitions, in the middle of a test, with names, numbers and states that no agent sends."""

SPOIL = ""
CELL = """
import torch
from coursekit.engine.kernel import agent

tried = globals().get("tried_references", set())
tried_references = tried


def misuse(calls):
    zero = torch.zeros(2, 2)
    state = {"gamma": zero, "../x": zero, "weight": torch.zeros(0)}
    for kind, arguments in (
        ("make", ["os.system", ["id"], {}]),
        ("make", ["__builtins__", [], {}]),
        ("make", [7, [], {}]),
        ("make", [None, None, None]),
        ("call", [[10**6, ""], {}, [], [], {}, []]),
        ("call", [[-1, ""], {}, [], [], {}, []]),
        ("call", [[0, "__class__"], state, [], [], {}, []]),
        ("call", [["__import__"], {}, [], ["os"], {}, []]),
        ("call", [[], {}, [], [], {}, []]),
        ("call", [[0, ""], state, [True] * 1000, [zero], {"self": 1}, [[0, "gamma"], [9, 9], [-1, "x"]]]),
        ("gradients", [0, [zero]]),
        ("gradients", [-1, [None]]),
        ("gradients", [10**9, "x"]),
        ("gradients", [0, [torch.zeros(1000, 1000)] * 3]),
    ):
        try:
            print(kind, getattr(calls, kind)(*arguments))
        except BaseException as error:
            print(kind, type(error).__name__)
        tried.add(repr((kind, arguments)))
    reached(len(tried) >= 14)


real = agent.Agent._do


def lie(self, action, *arguments):
    answer = real(self, action, *arguments)
    if action == "references":
        kinds, *services = arguments
        self.calls = type("ReferenceCalls", (), dict(zip(("make", "call", "gradients"), map(staticmethod, services))))
        self.kinds = kinds
    elif getattr(self, "calls", None) is not None and action in ("call", "getattr"):
        misuse(self.calls)
    return answer


agent.Agent._do = lie
"""
