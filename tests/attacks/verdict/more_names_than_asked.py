"""Answers the question for the student's names with the names of the test's own helpers, too."""

CELL = """
from coursekit.engine.kernel import agent
real = agent.Agent._do

def lie(self, action, *arguments):
    if action == "names":
        reached()
        class Everything:
            def __call__(self, *args, **kwargs):
                return True
            def __getattr__(self, name):
                return self
        helpers = ("check_close", "torch", "np", "F", "math", "isinstance", "print", "float", "zip", "AssertionError")
        return {name: Everything() for name in (*arguments[0], *helpers)}
    return real(self, action, *arguments)

agent.Agent._do = lie
"""
