"""What a week's notebook holds when a student gets it, prepared once for every submission."""

import ast
from collections import defaultdict
from functools import lru_cache

from coursekit.engine.reader.repair import code
from coursekit.engine.shared.master import SOLUTION_CELL, TEST, Master, Question

LONG = 100  # characters of a dumped statement from which on it is told by itself which cell it comes from


class Known:
    """The released notebook's cells, to be looked for in a submission."""

    def __init__(self, master: Master):
        self.master = master
        self.visible = [master.visible(cell) for cell in master.cells]
        self.texts = [code.text(source) for source in self.visible]
        # Cells of which no student's own is made: a text that is one of these needs no closer look.
        self.ours = {text for text, cell in zip(self.texts, master.cells, strict=True) if text}
        # Code that is not run again; no more is a copy of it.
        self.not_repeated = {
            text
            for text, cell in zip(self.texts, master.cells, strict=True)
            if text and cell.kind == "code" and not cell.repeated
        }
        self.questions: dict[str, Question] = {item.id: item for item in master.questions}
        self.question_of = {name: item.id for item in master.questions for name in item.names}
        # By question, of each form that the stub may have: {name: its definition}.
        self.stubs: dict[str, list[dict[str, ast.stmt]]] = {}
        # By a solution cell's place: what its stub does, in each form.
        self.programs: dict[int, list[ast.Module]] = {}
        self.cells_of_line: dict[str, set[int]] = defaultdict(set)
        self.cells_of_statement: dict[str, list[int]] = defaultdict(list)
        self.bound: list[set[str]] = []  # by cell: what the student kernel has from it
        self.ids = {cell.grade_id for cell in master.cells if cell.grade_id}
        self.cell_ids = {cell.cell_id for cell in master.cells if cell.cell_id}
        for cell, source in zip(master.cells, self.visible, strict=True):
            for line in lines(source):
                self.cells_of_line[line].add(cell.index)
            tree = code.parse(source) if cell.kind == "code" else None
            runs = cell.role != TEST and cell.repeated
            self.bound.append(code.bound(tree) if runs else set())
            if cell.role == SOLUTION_CELL:
                trees = [made for stub in master.stubs(cell) if (made := code.parse(stub)) is not None]
                self.programs[cell.index] = trees
                self.stubs[cell.grade_id] = [code.definitions(made) for made in trees]
            elif tree is not None:
                for node in tree.body:
                    self.cells_of_statement[code.dump(node)].append(cell.index)

    def answers(self, question: Question, definitions: dict[str, ast.stmt]) -> set[str]:
        """Which of a question's names these definitions define otherwise than the stub does."""
        stubs = self.stubs[question.id]
        return {
            name
            for name in question.names
            if name in definitions
            and not any(name in stub and code.same_tree(definitions[name], stub[name]) for stub in stubs)
        }

    def questions_in(self, names: set[str]) -> set[str]:
        """The questions that some of these names belong to."""
        return {self.question_of[name] for name in names if name in self.question_of}

    def label(self, node: ast.stmt) -> str | list[int]:
        """Where a statement belongs: the question that it answers, or the master's cells that hold it too."""
        if isinstance(node, code.FUNCTION) and node.name in self.question_of:
            return self.question_of[node.name]
        return self.cells_of_statement.get(code.dump(node), [])


@lru_cache(maxsize=16)
def known_of(master: Master) -> Known:
    return Known(master)


def lines(source: str) -> set[str]:
    """The lines of a cell that say something."""
    return {line for raw in source.splitlines() if len(line := raw.strip()) > 3}
