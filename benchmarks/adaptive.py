"""How much a student gains who hands in again and again and learns from all that the grader lets out.

    .venv/bin/python benchmarks/adaptive.py [WEEK …] [--hand-ins 200] [--fixed]

The attacker answers each question wrongly, with the bank's wrong answer that loses the most points in hidden tests. It
keeps a digest of each argument that it is called with, and a cell at the end of its notebook prints them: so it carries
out what hidden tests ask. At the next hand-in it gives the right result, which the benchmark takes from the reference,
for all that it has been asked before, and the wrong one for anything else. With --fixed all hand-ins have one seed, as
if hidden tests asked the same of everybody.

Prints a line for each week: hidden points at the first hand-in and at the last, and how many arguments were learned.
Exits with 1 if a hidden point was gained without --fixed, or if nothing was carried out: then nothing was tried.
"""

import argparse
import json
import os
import random
import re
import sys
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from coursekit.course.bank import Answer, read_bank
from coursekit.course.config import Course, Week, open_course
from coursekit.course.hidden_seed import SEED_BYTES
from coursekit.engine.coordinator.grade import grade, warm_modules
from coursekit.engine.coordinator.outcome import Graded
from coursekit.engine.coordinator.servers import Servers
from coursekit.engine.coordinator.submission import Submission
from coursekit.engine.shared.master import TEST, Master, fill

MARK = "asked:"
ANSWER = '''
import hashlib as _hashlib

_SEEN_{question} = set({seen!r})
_RIGHT_{question}, _WRONG_{question} = dict(globals()), dict(globals())
exec({right!r}, _RIGHT_{question})
exec({wrong!r}, _WRONG_{question})
_LOG = globals().setdefault("_LOG", [])


def _digest(value, depth=0):
    """A text that tells values apart."""
    if hasattr(value, "state_dict"):
        value = dict(value.state_dict())
    if hasattr(value, "detach"):
        value = value.detach().cpu()
        numbers = value.double() if not value.is_complex() else value
        return f"{{value.dtype}}{{tuple(value.shape)}}{{_hashlib.sha256(numbers.numpy().tobytes()).hexdigest()}}"
    if isinstance(value, np.ndarray):
        return f"{{value.dtype}}{{value.shape}}{{_hashlib.sha256(np.ascontiguousarray(value).tobytes()).hexdigest()}}"
    if isinstance(value, dict) and depth < 5:
        return "{{" + ",".join(f"{{key}}:{{_digest(item, depth + 1)}}" for key, item in value.items()) + "}}"
    if isinstance(value, list | tuple | set) and depth < 5:
        return "[" + ",".join(_digest(item, depth + 1) for item in value) + "]"
    return repr(value) if isinstance(value, int | float | str | bool | bytes | type(None)) else type(value).__name__


def _known_{question}(*what):
    digest = _hashlib.sha256(_digest(list(what)).encode()).hexdigest()[:24]
    _LOG.append(digest)
    return digest in _SEEN_{question}


def _function_{question}(name):
    def function(*args, **named):
        source = _RIGHT_{question} if _known_{question}(name, args, named) else _WRONG_{question}
        return source[name](*args, **named)

    return function


def _module_{question}(name):
    right, wrong = _RIGHT_{question}[name], _WRONG_{question}[name]

    class Module(wrong):
        def __init__(self, *args, **named):
            super().__init__(*args, **named)
            self.__dict__["_made_with"] = args, named

        def forward(self, *args, **named):
            state = dict(self.state_dict())
            if not _known_{question}(name, self._made_with, state, self.training, args, named):
                return super().forward(*args, **named)
            made_with, named_with = self._made_with
            model = right(*made_with, **named_with)
            model.load_state_dict(state, strict=False)
            return model.train(self.training)(*args, **named)

    Module.__name__ = name
    return Module


def _object_{question}(name):
    class Object:
        def __init__(self, *args, **named):
            self.__dict__["_history"] = [(args, named)]
            self.__dict__["_both"] = _RIGHT_{question}[name](*args, **named), _WRONG_{question}[name](*args, **named)

        def __getattr__(self, attribute):
            right, wrong = (getattr(one, attribute) for one in self._both)
            if not callable(wrong):
                return right if _known_{question}(name, self._history, attribute) else wrong

            def method(*args, **named):
                self._history.append((attribute, args, named))
                known = _known_{question}(name, self._history)
                results = []
                for call in (right, wrong):
                    try:
                        results.append((call(*args, **named), None))
                    except Exception as error:
                        results.append((None, error))
                result, error = results[0 if known else 1]
                if error is not None:
                    raise error
                return result

            return method

    Object.__name__ = name
    return Object


for _name in {names!r}:
    _kind = _WRONG_{question}.get(_name)
    if isinstance(_kind, type) and issubclass(_kind, nn.Module):
        globals()[_name] = _module_{question}(_name)
    elif isinstance(_kind, type):
        globals()[_name] = _object_{question}(_name)
    elif callable(_kind):
        globals()[_name] = _function_{question}(_name)
'''
LEAK = f"print('{MARK}', *dict.fromkeys(globals().get('_LOG', [])))"


def main() -> None:
    """Run the attacker on each week and print what it gains."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("weeks", nargs="*")
    parser.add_argument("--hand-ins", type=int, default=200)
    parser.add_argument("--fixed", action="store_true")
    chosen = parser.parse_args()
    course = open_course(Path.cwd())
    gained = 0.0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        attacks = pool.map(
            lambda week: attack(course, week, chosen.hand_ins, chosen.fixed), course.select(chosen.weeks)
        )
        for line, gain in attacks:
            print(line, flush=True)
            gained += gain
    print(f"{gained:g} hidden points gained in {chosen.hand_ins} hand-ins.")
    sys.exit(bool(gained) and not chosen.fixed)


def attack(course: Course, week: Week, hand_ins: int, fixed: bool) -> tuple[str, float]:
    """Return a line about one week, and the hidden points gained."""
    master = course.master(week)
    wrong = list(worst_in_hidden_tests(course, week, master))
    seen: set[str] = set()
    hidden_points: list[float] = []
    with Servers(modules=warm_modules(master, course.limits)) as servers:
        for number in range(1, hand_ins + 1):
            seed = 1 if fixed else random.Random(number).getrandbits(8 * SEED_BYTES)
            pieces = {f"{master.name}.ipynb": hand_in(master, wrong, seen)}
            with Submission.of_bytes(pieces, hidden_seed=seed) as submission:
                graded = grade(master, submission, course.limits, servers)
            hidden_points.append(sum(test.score for test in graded.result.tests if test.hidden))
            seen |= carried_out(graded)
    if not seen:
        sys.exit(f"{week.name}: nothing was carried out, so nothing was tried.")
    gain = max(hidden_points) - hidden_points[0]
    most = sum(cell.points for cell in master.cells if cell.hidden)
    first, last = hidden_points[0], hidden_points[-1]
    line = (
        f"{week.name}: {first:g} of {most:g} hidden points at first, {last:g} at last, {max(hidden_points):g}"
    )
    return f"{line} at best; {len(seen)} arguments learned", gain


def worst_in_hidden_tests(course: Course, week: Week, master: Master) -> Iterable[Answer]:
    """Yield for each question the wrong answer that loses most hidden points, and of these the fewest visible ones."""
    points = {cell.grade_id: cell.points if cell.hidden else -cell.points / 100 for cell in master.cells}
    bank = [answer for answer in read_bank(course, week) if not answer.right]
    for question in master.questions:
        answers = [answer for answer in bank if answer.question == question.id]
        if answers:
            yield max(answers, key=lambda answer: sum(points[test] for test in answer.fails))


def hand_in(master: Master, wrong: Iterable[Answer], seen: set[str]) -> bytes:
    """Return the attacker's notebook."""
    names = {question.id: list(question.names) for question in master.questions}
    answers = {
        answer.question: ANSWER.format(
            question=answer.question,
            seen=sorted(seen),
            right=master.solutions[answer.question],
            wrong=answer.source,
            names=names[answer.question],
        )
        for answer in wrong
    }
    notebook = json.loads(fill(master, answers))
    for cell in notebook["cells"]:  # or the text in the cell at the end would be taken for an answer in words
        if cell["cell_type"] == "markdown" and cell["metadata"].get("nbgrader", {}).get("solution"):
            cell["source"] = "It depends."
    leak = {
        "cell_type": "code",
        "id": "leak",
        "metadata": {},
        "source": LEAK,
        "outputs": [],
        "execution_count": None,
    }
    last_test = max(cell.index for cell in master.cells if cell.role == TEST)
    notebook["cells"].insert(last_test + 1, leak)
    return json.dumps(notebook).encode()


def carried_out(graded: Graded) -> set[str]:
    """Return the digests that the attacker's last cell printed while it was graded."""
    texts = [
        "".join(output.get("text", ""))
        for cell in json.loads(graded.notebook)["cells"]
        if cell["cell_type"] == "code"
        for output in cell["outputs"]
    ]
    return {digest for text in texts if MARK in text for digest in re.findall(r"\b[0-9a-f]{24}\b", text)}


if __name__ == "__main__":
    main()
