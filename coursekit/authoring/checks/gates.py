"""Gates that stop a week whose marks can be had without an answer.

- **Forged probes**: every answer stays a stub, and each probe is answered by the reference. Marks for this rest on
  values that only the student's own process vouches for.
- **Copied code**: every function and class that a student can read, in released cells and probes, is renamed and handed
  in as the answer to every question whose answer can be called with as many arguments.
- **Trivial answers**: see `trivial`.
"""

import ast
import json
import math
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from operator import itemgetter

from coursekit.authoring.checks.trivial import KINDS, METHODS, NO_METHOD, trivial_answers
from coursekit.engine.coordinator.compiling import is_probe
from coursekit.engine.shared.master import GIVEN, TEST, Master, fill
from coursekit.engine.shared.result import PASSED, Result

FORGED, COPIED, TRIVIAL = "forged probes", "copied code", "trivial answers"
MAX_SHARE = {FORGED: 1 / 4, COPIED: 1 / 3}  # of a question's points
DEFINITIONS = ast.FunctionDef | ast.ClassDef

# Runs in the student kernel: probes, which the agent gets with the action "define", use the answers in `SOLUTIONS` in
# place of the stubs. `NAMES` are the names of all answers, `wanted` those that the probe uses.
_FORGE = """
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
    """One notebook with answers that must not get many marks."""

    gate: str
    # {question: description of its answer}; other questions are unanswered or, where `gate` is TRIVIAL, answered right.
    about: dict[str, str]
    notebook: bytes
    form: str = ""  # the part of a class that a trivial answer replaces


def trials(master: Master, only: str = "") -> list[Trial]:
    """Return every notebook that has to be graded for the gates.

    Each notebook of copied code has one piece for each question that has pieces left. Code that accepts no call which
    the reference accepts is left out: it only raises a TypeError, as one of the trivial answers does.

    Args:
        only: a question's id: code is copied to no other.
    """
    questions = [question for question in master.questions if question.names and only in ("", question.id)]
    forged = {question.id: "every probe answered by the reference" for question in questions}
    notebooks = [Trial(FORGED, forged, _forged(master))]
    pieces = list(_pieces(master))
    fitting = {}
    for question in questions:
        arities = _arities(ast.parse(master.solutions[question.id]).body)
        fitting[question.id] = [piece for piece in pieces if any(piece.takes(arity) for arity in arities)]
    for number in range(max(map(len, fitting.values()), default=0)):
        chosen = [
            (question, fitting[question.id][number])
            for question in questions
            if number < len(fitting[question.id])
        ]
        answers = {question.id: piece.named(question.names) for question, piece in chosen}
        descriptions = {question.id: piece.about for question, piece in chosen}
        notebooks.append(Trial(COPIED, descriptions, fill(master, answers)))
    for form, kind, sources in trivial_answers(master):
        descriptions = dict.fromkeys(sources, kind)
        notebooks.append(Trial(TRIVIAL, descriptions, fill(master, master.solutions | sources), form))
    return notebooks


def facts(tried: list[Trial], results: list[Result]) -> dict[str, list[str]]:
    """Return {a fact that should hold of the trials' results: its problems}."""
    largest = shares(tried, results)
    pieces = {description for trial in tried if trial.gate == COPIED for description in trial.about.values()}

    def too_much(gate: str, template: str) -> list[str]:
        return [
            f"question {question} gives {share:.0%} of its points to {template.format(description)}; at most "
            f"{MAX_SHARE[gate]:.0%} is allowed"
            for question, (share, description) in largest[gate].items()
            if share > MAX_SHARE[gate]
        ]

    return {
        f"no test is passed by an answer that does nothing ({len(KINDS)} kinds)": weak_tests(tried, results),
        f"forged probes give at most {MAX_SHARE[FORGED]:.0%} of any question": too_much(
            FORGED, "forged probes"
        ),
        f"the page gives nothing away: none of its {len(pieces)} pieces of code, handed in as an answer, gets more "
        f"than {MAX_SHARE[COPIED]:.0%} of any question": too_much(COPIED, "code that is on the page, {}"),
    }


def shares(tried: list[Trial], results: list[Result]) -> dict[str, dict[str, tuple[float, str]]]:
    """Return {gate of MAX_SHARE: {question: (largest share of its points in a trial, that answer's description)}}."""
    best: dict[str, dict[str, tuple[float, str]]] = {gate: {} for gate in MAX_SHARE}
    for trial, result in zip(tried, results, strict=True):
        for question in result.questions:
            if question.score is not None and question.max_score:
                share = question.score / question.max_score, trial.about.get(question.id, "")
                for gate, of_gate in best.items():
                    largest = of_gate.setdefault(question.id, (0.0, ""))
                    of_gate[question.id] = (
                        max(largest, share, key=itemgetter(0)) if gate == trial.gate else largest
                    )
    return best


def weak_tests(tried: list[Trial], results: list[Result]) -> list[str]:
    """Return a sentence for each trivial answer and each test that it passes but should not."""
    passed = [
        (trial, test)
        for trial, result in zip(tried, results, strict=True)
        for test in result.tests
        if trial.gate == TRIVIAL and test.outcome == PASSED and test.question in trial.about
    ]
    # Tests that pass although no method answers are of the constructor, which is right where only methods are trivial.
    of_constructors = {
        test.id for trial, test in passed if trial.about[test.question].startswith(tuple(NO_METHOD))
    }
    return [
        f"test {test.id} is passed by an answer that {trial.about[test.question]}"
        for trial, test in passed
        if not (trial.form == METHODS and test.id in of_constructors)
    ]


def _forged(master: Master) -> bytes:
    """Return the unanswered notebook with a cell that forges probes, after the last setup cell."""
    notebook = json.loads(fill(master, {}))
    source = f"SOLUTIONS = {[*master.solutions.values()]!r}\nNAMES = {master.solution_names!r}\n{_FORGE}"
    cell = {"cell_type": "code", "id": "forge", "metadata": {}, "source": source, "outputs": []}
    index = max((cell.index + 1 for cell in master.setup), default=0)
    notebook["cells"].insert(index, cell | {"execution_count": None})
    return json.dumps(notebook).encode()


# The least positional arguments and the most arguments that something takes.
Arity = tuple[float, float]


@dataclass(frozen=True)
class Piece:
    """A function or class that a student can read, with the definitions beside it and beside what encloses it."""

    about: str  # its name and where it is
    source: str
    name: str
    arity: Arity

    def takes(self, other: Arity) -> bool:
        """Return whether some number of arguments suits both."""
        return self.arity[0] <= other[1] and other[0] <= self.arity[1]

    def named(self, names: tuple[str, ...]) -> str:
        """Return a solution cell in which the piece has each of these names."""
        return "\n".join([self.source, *(f"{name} = {self.name}" for name in names if name != self.name)])


def _pieces(master: Master) -> Iterator[Piece]:
    """Yield every function and class that a student can read, each source once."""
    sources = set()
    for where, body in _readable(master):
        for context, node in _definitions(body, []):
            source = "\n".join(ast.unparse(item) for item in [*context, node])
            if source not in sources:
                sources.add(source)
                yield Piece(f"{node.name} in {where}", source, node.name, _arities([node])[0])


def _arities(body: list[ast.stmt]) -> list[Arity]:
    """Return the arity of each function and class in a body, (0, inf) where it cannot be told; [(0, inf)] without any.

    >>> _arities(ast.parse("def f(x, y=2, *, z=3): pass").body)
    [(1, 3)]
    """
    arities: list[Arity] = []
    for node in body:
        if isinstance(node, DEFINITIONS):
            built = [item for item in ast.walk(node) if getattr(item, "name", "") == "__init__"]
            function = (built[0] if len(built) == 1 else None) if isinstance(node, ast.ClassDef) else node
            if node.decorator_list or not isinstance(function, ast.FunctionDef):
                arities.append((0, math.inf))
                continue
            arguments = function.args
            positional = len(arguments.posonlyargs + arguments.args) - isinstance(node, ast.ClassDef)
            most = math.inf if arguments.vararg or arguments.kwarg else positional + len(arguments.kwonlyargs)
            arities.append((max(0, positional - len(arguments.defaults)), most))
    return arities or [(0, math.inf)]


def _readable(master: Master) -> Iterator[tuple[str, list[ast.stmt]]]:
    """Yield (where it is, statements) of code that students can read: in given cells, text, visible tests, probes."""
    for cell in master.cells:
        where = f"cell {cell.cell_id or cell.index}"
        if cell.kind == "markdown" and cell.role == GIVEN:
            blocks = re.findall(r"^```\w*\n(.*?)^```", cell.source, re.DOTALL | re.MULTILINE)
            for number, block in enumerate(blocks, 1):
                try:
                    yield f"{where}, block {number}", ast.parse(block).body
                except SyntaxError:
                    continue
        elif cell.kind == "code" and cell.role in (GIVEN, TEST):
            with suppress(SyntaxError):  # a magic
                body = ast.parse(cell.source).body
                yield where, [node for node in body if not cell.hidden or is_probe(node)]


def _definitions(
    body: list[ast.stmt], context: list[ast.stmt]
) -> Iterator[tuple[list[ast.stmt], ast.FunctionDef | ast.ClassDef]]:
    """Yield (definitions beside it and beside what encloses it, function or class) at any depth, except for methods."""
    definitions = [node for node in body if isinstance(node, DEFINITIONS)]
    for node in definitions:
        beside = [*context, *(other for other in definitions if other is not node)]
        yield beside, node
        methods = [item for item in ast.walk(node) if isinstance(item, ast.FunctionDef)]
        for function in methods if isinstance(node, ast.ClassDef) else [node]:
            yield from _definitions(_statements(function.body), beside)


def _statements(body: list[ast.stmt]) -> list[ast.stmt]:
    """Return a function's statements, those inside its loops and blocks too."""
    nested = (
        node for outer in body for node in ([outer] if isinstance(outer, DEFINITIONS) else ast.walk(outer))
    )
    return [node for node in nested if isinstance(node, ast.stmt)]
