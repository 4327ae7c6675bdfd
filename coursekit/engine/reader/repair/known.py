"""The cells of a week's released notebook, prepared once for all its submissions."""

import ast
from collections import defaultdict
from functools import lru_cache

from coursekit.engine.reader.repair import code
from coursekit.engine.shared.master import SOLUTION_CELL, TEST, Master, Question

LONG = 100  # characters of a dumped statement that is long enough to identify its cell


class Known:
    """The cells of the released notebook, for finding them in a submission."""

    def __init__(self, master: Master):
        self.master = master
        self.visible = [master.visible(cell) for cell in master.cells]
        self.texts = [code.text(source) for source in self.visible]
        # Texts of released cells: a cell with one of these texts holds nothing of the student's.
        self.released_texts = {text for text, cell in zip(self.texts, master.cells, strict=True) if text}
        # Code that is not run again; nor is a copy of it.
        self.not_repeated = {
            text
            for text, cell in zip(self.texts, master.cells, strict=True)
            if text and cell.kind == "code" and not cell.repeated
        }
        self.questions: dict[str, Question] = {item.id: item for item in master.questions}
        self.question_of = {name: item.id for item in master.questions for name in item.names}
        # By question, for each form of the stub: {name: its definition}.
        self.stubs: dict[str, list[dict[str, ast.stmt]]] = {}
        # By the index of a solution cell: the syntax tree of each form of its stub.
        self.programs: dict[int, list[ast.Module]] = {}
        self.cells_of_line: dict[str, set[int]] = defaultdict(set)
        self.cells_of_statement: dict[str, list[int]] = defaultdict(list)
        self.bound: list[set[str]] = []  # by cell: the names that it defines in the student kernel
        self.ids = {cell.grade_id for cell in master.cells if cell.grade_id}
        self.cell_ids = {cell.cell_id for cell in master.cells if cell.cell_id}
        for cell, source in zip(master.cells, self.visible, strict=True):
            for line in lines(source):
                self.cells_of_line[line].add(cell.index)
            tree = code.parse(source) if cell.kind == "code" else None
            runs = cell.role != TEST and cell.repeated
            self.bound.append(code.bound(tree) if runs else set())
            if cell.role == SOLUTION_CELL:
                trees = [
                    stub_tree for stub in master.stubs(cell) if (stub_tree := code.parse(stub)) is not None
                ]
                self.programs[cell.index] = trees
                self.stubs[cell.grade_id] = [code.definitions(stub_tree) for stub_tree in trees]
            elif tree is not None:
                for node in tree.body:
                    self.cells_of_statement[code.dump(node)].append(cell.index)

    def answers(self, question: Question, definitions: dict[str, ast.stmt]) -> set[str]:
        """Return the names of a question that these definitions define differently from the stub."""
        stubs = self.stubs[question.id]
        return {
            name
            for name in question.names
            if name in definitions
            and not any(name in stub and code.same_tree(definitions[name], stub[name]) for stub in stubs)
        }

    def questions_in(self, names: set[str]) -> set[str]:
        """Return the ids of the questions that these names belong to."""
        return {self.question_of[name] for name in names if name in self.question_of}

    def label(self, node: ast.stmt) -> str | list[int]:
        """Return the id of the question that a statement answers, or the indexes of the master's cells that hold it."""
        if isinstance(node, code.FUNCTION) and node.name in self.question_of:
            return self.question_of[node.name]
        return self.cells_of_statement.get(code.dump(node), [])


@lru_cache(maxsize=16)
def known_of(master: Master) -> Known:
    return Known(master)


def lines(source: str) -> set[str]:
    """Return the stripped lines of a cell that have more than three characters."""
    return {line for raw in source.splitlines() if len(line := raw.strip()) > 3}
