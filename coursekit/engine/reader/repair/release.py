"""The cells of a week's released notebook, prepared once for all its submissions."""

import ast
import re
from collections import defaultdict
from functools import cached_property, lru_cache

from coursekit.engine.reader.repair import code
from coursekit.engine.reader.repair.embedded import extract_pictures
from coursekit.engine.shared.master import SOLUTION_CELL, TEST, Master, Question

ADDRESS = re.compile(r"\w+://\S+")  # publishing a course changes them
FENCED = re.compile(r"^[ \t]*```.*\n(?:.*\n)*?[ \t]*```[ \t]*$", re.MULTILINE)
LONG_STATEMENT = 100  # characters of a dumped statement that is long enough to identify its cell


class Release:
    """The cells of the released notebook, for finding them in a submission."""

    def __init__(self, master: Master):
        self.master = master
        # By the index of a cell: its source in the release, as it is and for comparing.
        self.sources = [
            master.released_source(cell)
            if cell.kind == "code"
            else extract_pictures(master.released_source(cell))[0]
            for cell in master.cells
        ]
        self.single_spaced = [code.single_spaced(source) for source in self.sources]
        # For comparing: a cell with one of these texts holds nothing of the student's.
        self.texts = {"", *self.single_spaced}
        # Code that is not run again; nor is a copy of it.
        self.not_repeated = {
            text
            for text, cell in zip(self.single_spaced, master.cells, strict=True)
            if text and cell.kind == "code" and not cell.repeated
        }
        self.questions: dict[str, Question] = {item.id: item for item in master.questions}
        self.question_of = {name: item.id for item in master.questions for name in item.names}
        # By question, for each form of the stub: {name: its definition}.
        self.stub_definitions: dict[str, list[dict[str, ast.stmt]]] = {}
        # By the index of a solution cell: the syntax tree of each form of its stub.
        self.stub_trees: dict[int, list[ast.Module]] = {}
        # Indexes of the cells with a line (see `compared_lines`); of those without answers, with a statement, dumped.
        self.cells_of_line: dict[str, set[int]] = defaultdict(set)
        self.cells_of_statement: dict[str, list[int]] = defaultdict(list)
        # By its first line, of each text cell: its lines that are not blank, with single spaces.
        self.text_cells: dict[str, list[list[str]]] = defaultdict(list)
        self.bound: list[set[str]] = []  # by cell: the names that it defines in the student kernel
        self.grade_ids = {cell.grade_id for cell in master.cells if cell.grade_id}
        for cell, source in zip(master.cells, self.sources, strict=True):
            for line in compared_lines(source):
                self.cells_of_line[line].add(cell.index)
            if cell.kind != "code":
                self._add_text(source)
            tree = code.parse(source) if cell.kind == "code" else None
            runs = cell.role != TEST and cell.repeated
            self.bound.append(code.bound(tree) if runs else set())
            if cell.role == SOLUTION_CELL:
                trees = [tree for tree in map(code.parse, master.stubs(cell)) if tree is not None]
                self.stub_trees[cell.index] = trees
                self.stub_definitions[cell.grade_id] = [code.definitions(stub_tree) for stub_tree in trees]
            elif tree is not None:
                for node in tree.body:
                    self.cells_of_statement[code.dump(node)].append(cell.index)

    @cached_property
    def given_lines(self) -> set[str]:
        """The lines of the course's text cells, for comparing."""
        return {normal_words(line) for text in self._given_texts for line in text.split("\n")}

    @cached_property
    def given_words(self) -> str:
        """The words of the course's text cells, for comparing."""
        return normal_words(" ".join(self._given_texts))

    @property
    def _given_texts(self) -> list[str]:
        return [self.sources[cell.index] for cell in self.master.cells if cell.kind != "code"]

    def answers(self, question: Question, definitions: dict[str, ast.stmt]) -> set[str]:
        """Return the names of a question that these definitions define differently from the stub."""
        stubs = self.stub_definitions[question.id]
        return {
            name
            for name in question.names
            if name in definitions
            and not any(name in stub and code.same_tree(definitions[name], stub[name]) for stub in stubs)
        }

    def questions_in(self, names: set[str]) -> set[str]:
        """Return the ids of the questions that these names belong to."""
        return {self.question_of[name] for name in names if name in self.question_of}

    def _add_text(self, source: str) -> None:
        """Add a text cell, and its pieces around code between fences, which may be taken for a cell."""
        pieces = [source]
        if "```" in source:
            self.not_repeated.add(code.single_spaced(code.fenced(source)))
            pieces += FENCED.split(source)
        for piece in pieces:
            if lines := list(filter(None, map(code.single_spaced, piece.split("\n")))):
                self.text_cells[lines[0]].append(lines)
                self.texts.add(code.single_spaced(piece))

    def text_cell_at(self, lines: list[str], start: int) -> int:
        """Return the end of the text cell of the release that begins at a line, or `start` if none does.

        Args:
            lines: with single spaces as their only whitespace; blank ones are skipped.
        """
        longest = start
        for wanted in self.text_cells.get(lines[start], ()):
            position, found = start, 0
            while found < len(wanted) and position < len(lines) and lines[position] in ("", wanted[found]):
                found += lines[position] != ""
                position += 1
            if found == len(wanted):
                longest = max(longest, position)
        return longest

    def label(self, node: ast.stmt) -> str | list[int]:
        """Return the id of the question that a statement answers, or the indexes of the master's cells that hold it."""
        if isinstance(node, code.FUNCTION_OR_CLASS) and node.name in self.question_of:
            return self.question_of[node.name]
        return self.cells_of_statement.get(code.dump(node), [])


@lru_cache(maxsize=16)
def release_of(master: Master) -> Release:
    return Release(master)


def compared_lines(source: str) -> set[str]:
    """Return the stripped lines of a cell that have more than three characters: shorter ones are in many cells."""
    return {line for raw in source.splitlines() if len(line := raw.strip()) > 3}


def normal_word(word: str) -> str:
    """Return a word for comparing, without the Markdown around it; "" for an address and for signs alone."""
    return "".join(filter(str.isalnum, ADDRESS.sub("", word))).casefold()


def normal_words(text: str) -> str:
    """Return the words of a text for comparing, with single spaces between them."""
    return " ".join(filter(None, map(normal_word, text.split())))
