"""Gates that stop a week whose marks can be had without an answer.

The **perfect forger** leaves every answer a stub, and answers every probe with the reference: what it gets rests on
values for which the student's process testifies itself. The **paste** is code that is on the page: every function
and class of the released cells and of every probe, renamed, handed in as the answer to every question whose calls it
takes.
The third gate, `blanks`, has a module of its own.

    python -m coursekit.authoring.checks WEEK [QUESTION]     in the course folder: each question's shares
"""

import ast
import json
import math
import re
from collections.abc import Iterator
from dataclasses import dataclass
from operator import itemgetter

from coursekit.engine.coordinator.compiling import is_probe
from coursekit.engine.shared.master import GIVEN, TEST, Master, fill
from coursekit.engine.shared.result import Result

FORGER, PASTE = "forger", "paste"
MOST = {FORGER: 1 / 4, PASTE: 1 / 3}  # of a question's points

# Runs in the student kernel. The answers of `SOLUTIONS` are next to the notebook's stubs, and probes meet these.
_FORGER = """
def _forge(solutions):
    from IPython import get_ipython
    from coursekit.engine.kernel import agent

    notebook, real = get_ipython().user_ns, agent.Agent._do

    def forged(self, action, *arguments):
        if action != "define":
            return real(self, action, *arguments)
        source, name, wanted = arguments
        right = dict(notebook)
        for solution in solutions:
            try:
                exec(solution, right)
            except Exception:
                pass
        exec(compile(source, name, "exec"), right)
        known = {id(notebook[key]): right[key] for key in wanted if key in notebook}
        known |= {id(value): right[key] for key, value in notebook.items() if key in NAMES and key in right}

        def probe(*positional, **named):
            positional = [known.get(id(value), value) for value in positional]
            return right[name](*positional, **{key: known.get(id(value), value) for key, value in named.items()})

        return agent._Boxed(probe)

    agent.Agent._do = forged


_forge(SOLUTIONS)
"""


@dataclass(frozen=True)
class Trial:
    """One notebook that must not get marks.

    Attributes:
        about: {question: where the code is from that answers it}. The others are left unanswered.
    """

    gate: str
    about: dict[str, str]
    notebook: bytes


def trials(master: Master, only: str = "") -> list[Trial]:
    """Every notebook that the gates want graded.

    A notebook carries a paste to each question, so there are as many as the question has to which most can be handed
    in. A paste that refuses every call which the reference takes is left out: it is a blank that raises a TypeError,
    and `blanks` lets no test take that.

    Args:
        only: a question: the others are left unanswered.
    """
    questions = [question for question in master.questions if question.names and only in ("", question.id)]
    forged = {question.id: "every probe answered by the reference" for question in questions}
    pastes = list(_pastes(master))
    fitting = {}
    for question in questions:
        taken = _calls(ast.parse(master.solutions[question.id]).body)
        fitting[question.id] = [paste for paste in pastes if any(map(paste.calls.meets, taken.values()))]
    found = [Trial(FORGER, forged, _forged(master))]
    for number in range(max(map(len, fitting.values()), default=0)):
        chosen = {name: fits[number] for name, fits in fitting.items() if number < len(fits)}
        answers = {
            question.id: chosen[question.id].answer(question.names)
            for question in questions
            if question.id in chosen
        }
        about = {name: paste.about for name, paste in chosen.items()}
        found.append(Trial(PASTE, about, fill(master, answers)))
    return found


def shares(tried: list[Trial], results: list[Result]) -> dict[str, dict[str, tuple[float, str]]]:
    """{gate: {question: (the largest share of its points that a trial got, which trial)}}."""
    best: dict[str, dict[str, tuple[float, str]]] = {gate: {} for gate in MOST}
    for trial, result in zip(tried, results, strict=True):
        for question in result.questions:
            if question.score is not None and question.max_score:
                for found in best.values():
                    found.setdefault(question.id, (0.0, ""))
                entry = question.score / question.max_score, trial.about.get(question.id, "")
                best[trial.gate][question.id] = max(best[trial.gate][question.id], entry, key=itemgetter(0))
    return best


def problems(found: dict[str, dict[str, tuple[float, str]]], gate: str) -> list[str]:
    """The questions that give a gate's trials too much."""
    sentence = {
        FORGER: "question {id} gives {share:.0%} of its points to a forger of probes; at most {most:.0%} is allowed",
        PASTE: "question {id} gives {share:.0%} of its points to code that is on the page, {about}; at most "
        "{most:.0%} is allowed",
    }[gate]
    return [
        sentence.format(id=question, share=share, most=MOST[gate], about=about)
        for question, (share, about) in found[gate].items()
        if share > MOST[gate]
    ]


def _forged(master: Master) -> bytes:
    """The unanswered notebook with the forger's cell behind the setup cells."""
    notebook = json.loads(fill(master, {}))
    source = f"SOLUTIONS = {[*master.solutions.values()]!r}\nNAMES = {master.names!r}\n{_FORGER}"
    cell = {"cell_type": "code", "id": "forger", "metadata": {}, "source": source, "outputs": []}
    place = max((cell.index + 1 for cell in master.setup), default=0)
    notebook["cells"].insert(place, cell | {"execution_count": None})
    return json.dumps(notebook).encode()


@dataclass(frozen=True)
class Calls:
    """How many arguments a function takes, or a class when it is built."""

    least: float
    most: float

    def meets(self, other: "Calls") -> bool:
        """Whether there is a call that both take."""
        return self.least <= other.most and other.least <= self.most


ANY = Calls(0, math.inf)


@dataclass(frozen=True)
class Paste:
    """A function or class that a student can read, with what is defined around it."""

    about: str
    source: str
    name: str
    calls: Calls

    def answer(self, names: tuple[str, ...]) -> str:
        """The solution cell in which it goes by each of these names."""
        return "\n".join([self.source, *(f"{name} = {self.name}" for name in names if name != self.name)])


def _pastes(master: Master) -> Iterator[Paste]:
    """Every function and class that a student can read, each source once."""
    seen = set()
    for about, body in _readable(master):
        for context, node in _definitions(body, []):
            source = "\n".join(ast.unparse(item) for item in [*context, node])
            if source not in seen:
                seen.add(source)
                yield Paste(f"{node.name} in {about}", source, node.name, _calls([node])[node.name])


def _calls(body: list[ast.stmt]) -> dict[str, Calls]:
    """What each function and class of a body takes. What else it defines may take anything.

    >>> _calls(ast.parse("def f(x, y=2, *, z=3): pass").body)
    {'f': Calls(least=1, most=3)}
    """
    found = {}
    for node in body:
        if not isinstance(node, ast.FunctionDef | ast.ClassDef):
            continue
        built = [
            item for item in ast.walk(node) if isinstance(item, ast.FunctionDef) and item.name == "__init__"
        ]
        if node.decorator_list or isinstance(node, ast.ClassDef) and len(built) != 1:
            found[node.name] = ANY
        elif isinstance(node, ast.ClassDef):
            found[node.name] = _taken(built[0].args, given=1)
        else:
            found[node.name] = _taken(node.args, given=0)
    return found or {"": ANY}


def _taken(arguments: ast.arguments, given: int) -> Calls:
    """The calls that a signature takes when Python itself passes its first `given` arguments."""
    needed = len(arguments.posonlyargs) + len(arguments.args) - len(arguments.defaults) - given
    most = len(arguments.posonlyargs) + len(arguments.args) + len(arguments.kwonlyargs) - given
    return Calls(max(0, needed), math.inf if arguments.vararg or arguments.kwarg else most)


def _readable(master: Master) -> Iterator[tuple[str, list[ast.stmt]]]:
    """Code that a student can read: given cells, visible tests, hints, and probes, whose source runs beside theirs."""
    for cell in master.cells:
        about = f"cell {cell.cell_id or cell.index}"
        if cell.kind == "markdown" and cell.role == GIVEN:
            for number, block in enumerate(
                re.findall(r"^```\w*\n(.*?)^```", cell.source, re.DOTALL | re.MULTILINE), 1
            ):
                try:
                    yield f"{about}, block {number}", ast.parse(block).body
                except SyntaxError:
                    continue
        elif cell.kind == "code" and cell.role in (GIVEN, TEST):
            body = ast.parse(cell.source).body
            if cell.hidden:
                body = [node for node in body if is_probe(node)]
            yield about, body


def _definitions(
    body: list[ast.stmt], context: list[ast.stmt]
) -> Iterator[tuple[list[ast.stmt], ast.FunctionDef | ast.ClassDef]]:
    """Every function and class in a body, at any depth but for methods, with what is defined around it."""
    own = [node for node in body if isinstance(node, ast.FunctionDef | ast.ClassDef)]
    for node in own:
        siblings = [*context, *(other for other in own if other is not node)]
        yield siblings, node
        for inner in ast.walk(node):
            if inner is not node and isinstance(inner, ast.FunctionDef) and isinstance(node, ast.ClassDef):
                yield from _definitions(inner.body, siblings)
        if isinstance(node, ast.FunctionDef):
            yield from _definitions(_flat(node.body), siblings)


def _flat(body: list[ast.stmt]) -> list[ast.stmt]:
    """A function's statements, those inside its loops and blocks too."""
    return [
        node
        for statement in body
        for node in (
            [statement] if isinstance(statement, ast.FunctionDef | ast.ClassDef) else ast.walk(statement)
        )
        if isinstance(node, ast.stmt)
    ]
