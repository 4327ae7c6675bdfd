"""Changes the names of the setup cell that probes work with: helpers that check nothing, a torch that finds everything equal."""

AT_MOST = "probes"
SPOIL = ""
CELL = """
import types
from coursekit.engine.kernel import agent


class Easy(types.ModuleType):
    def __init__(self, real):
        super().__init__(real.__name__)
        self.__dict__.update(vars(real))
        for name in ("allclose", "equal", "isclose", "array_equal", "all"):
            if hasattr(real, name):
                setattr(self, name, lambda *args, **kwargs: True)


for name, value in list(agent._probe_names.items()):
    if isinstance(value, types.ModuleType):
        agent._probe_names[name] = Easy(value)
    elif isinstance(value, types.FunctionType):
        agent._probe_names[name] = lambda *args, **kwargs: args[0] if args else None
agent._probe_names |= {"True": True, "False": True, "AssertionError": Warning, "isinstance": lambda *args: True}
reached(any(type(value) is Easy for value in agent._probe_names.values()))
"""
