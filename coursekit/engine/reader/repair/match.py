"""Find each of the master's cells in a submission.

By grade id; then by cell id, or the one that Colab keeps in the metadata; then by the text with single spaces as its
only whitespace (`single_spaced`), the functions and classes that an answer defines, the title, the lines, the place.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable

from coursekit.engine.reader.repair import code
from coursekit.engine.reader.repair.release import Release, compared_lines
from coursekit.engine.reader.repair.submitted import SubmittedCell
from coursekit.engine.shared.master import GIVEN, SOLUTION_CELL, TEST, WRITTEN, WRITTEN_STUB, Cell
from coursekit.engine.shared.reasons import Flag, Repair
from coursekit.engine.shared.result import Note

SIMILAR = 0.5  # at least this share of the characters of a cell and its edited copy is in common lines
TITLE_LINES = 3  # at the top of a cell, in which its title is looked for
Matches = dict[int, SubmittedCell]  # {index of the master's cell: the submission's cell}


def match_cells(
    release: Release, cells: list[SubmittedCell], repairs: list[Note], flags: list[Note]
) -> Matches:
    """Find the master's cells in a submission, and return those found."""
    return _Matching(release, cells, repairs, flags).run()


def is_of_another_week(release: Release, cells: list[SubmittedCell]) -> bool:
    """Return whether a notebook has grade ids, of which fewer than a tenth are this week's."""
    named = {cell.grade_id for cell in cells if cell.grade_id}
    return bool(named) and 10 * len(named & release.grade_ids) < len(named)


def is_stub(release: Release, cell: Cell, item: SubmittedCell) -> bool:
    """Return whether a cell still holds the stub."""
    if cell.role == WRITTEN:
        return item.single_spaced in ("", code.single_spaced(WRITTEN_STUB)) and not item.pictures
    if item.single_spaced == release.single_spaced[cell.index]:
        return True
    return item.tree is not None and any(
        code.same_tree(item.tree, stub) for stub in release.stub_trees[cell.index]
    )


class _Matching:
    def __init__(self, release: Release, cells: list[SubmittedCell], repairs: list[Note], flags: list[Note]):
        self._release, self._cells, self._repairs, self._flags = release, cells, repairs, flags
        self._found: Matches = {}

    def run(self) -> Matches:
        self._by_name(lambda cell: cell.grade_id, lambda item: (item.grade_id,), silent=True)
        self._by_name(lambda cell: cell.cell_id, lambda item: item.cell_ids)
        texts = self._release.single_spaced
        self._by_name(lambda cell: texts[cell.index], lambda item: (item.single_spaced,), first=True)
        self._by_definitions()
        self._by_title()
        self._by_lines()
        self._by_place()
        return self._found

    def _missing(self) -> list[Cell]:
        return [cell for cell in self._release.master.cells if cell.index not in self._found]

    def _by_name(
        self,
        name_of: Callable[[Cell], str],
        names: Callable[[SubmittedCell], Iterable[str]],
        silent: bool = False,
        first: bool = False,
    ) -> None:
        """Match cells by a name that both have; `first`: only the first that has it; `silent`: record no repair."""
        if not (missing := self._missing()):
            return
        named: dict[str, list[SubmittedCell]] = defaultdict(list)
        for item in self._cells:
            if not item.taken:
                for name in dict.fromkeys(names(item)):
                    if name:
                        named[name].append(item)
        for cell in missing:
            if (name := name_of(cell)) and name in named:
                candidates = [item for item in named[name] if not item.taken and self._may_be(cell, item)]
                self._take(cell, candidates[:1] if first else candidates, silent)

    def _may_be(self, cell: Cell, item: SubmittedCell) -> bool:
        """Return whether a submitted cell may be `cell`: code that answers a question is no test or other answer."""
        if cell.role == GIVEN:
            return True
        questions = self._release.questions_in(item.defined_names)
        return not questions or cell.role == SOLUTION_CELL and cell.grade_id in questions

    def _by_definitions(self) -> None:
        """Match answers by the functions and classes that they define."""
        missing = [cell for cell in self._missing() if cell.role == SOLUTION_CELL]
        if not missing:
            return
        defining: dict[str, list[SubmittedCell]] = defaultdict(list)
        for item in self._cells:
            if not item.taken and (item.kind == "code" or item.tree is not None):
                for question in self._release.questions_in(item.defined_names):
                    defining[question].append(item)
        for cell in missing:
            if candidates := [item for item in defining[cell.grade_id] if not item.taken]:
                self._take(cell, [self._best(cell, candidates)])

    def _by_title(self) -> None:
        """Match given code and tests that were written anew by the comment on top, if no other cell has it."""
        missing = {
            cell.index: cell for cell in self._missing() if cell.kind == "code" and cell.role in (GIVEN, TEST)
        }
        for item in self._cells if missing else ():
            if item.taken or item.kind != "code" or self._release.questions_in(item.defined_names):
                continue
            for line in item.source.lstrip().split("\n", TITLE_LINES)[:TITLE_LINES]:
                cells = (
                    self._release.cells_of_line.get(line.strip(), set()) if line.startswith("#") else set()
                )
                if len(cells) == 1 and cells <= missing.keys():
                    self._take(missing.pop(*cells), [item])
                    break

    def _by_lines(self) -> None:
        """Match given cells and tests that the student has edited by the lines that both versions share."""
        missing = {cell.index: cell for cell in self._missing() if cell.role in (GIVEN, TEST)}
        if not missing:
            return
        pairs = []
        for item in self._cells:
            if item.taken or self._release.questions_in(item.defined_names):
                continue
            rows = compared_lines(item.source)
            shared: Counter[int] = Counter()
            for row in rows:
                for index in self._release.cells_of_line.get(row, ()):
                    if index in missing:
                        shared[index] += len(row)
            size = sum(map(len, rows))
            for index, common in shared.items():
                whole = size + sum(map(len, compared_lines(self._release.sources[index])))
                if missing[index].kind == item.kind and 2 * common >= SIMILAR * whole:
                    pairs.append((-common / whole, index, item.index, item))
        for _, index, _, item in sorted(pairs, key=lambda pair: pair[:3]):
            if index not in self._found and not item.taken:
                self._take(missing[index], [item])

    def _by_place(self) -> None:
        """Match remaining answers by place: between their neighbours in the master; the lower may be missing."""
        for cell in self._missing():
            above = self._found.get(cell.index - 1)
            if cell.role not in (SOLUTION_CELL, WRITTEN) or above is None:
                continue
            below = self._found.get(cell.index + 1)
            end = below.index if below is not None else len(self._cells)
            between = [
                item
                for item in self._cells[above.index + 1 : end]
                if not item.taken
                and item.kind == cell.kind
                and item.single_spaced
                and self._may_be(cell, item)
            ]
            self._take(cell, between[:1])

    def _take(self, cell: Cell, candidates: list[SubmittedCell], silent: bool = False) -> None:
        if not candidates:
            return
        chosen = self._best(cell, candidates)
        chosen.taken = True
        self._found[cell.index] = chosen
        if not silent and cell.role != GIVEN:
            self._repairs.append(Note(Repair.METADATA_RESTORED, cell=cell.grade_id))
        if cell.role == SOLUTION_CELL:
            candidates = self._put_halves_together(cell, chosen, candidates)
        if len(candidates) > 1:
            self._drop_copies(cell, chosen, candidates)

    def _best(self, cell: Cell, candidates: list[SubmittedCell]) -> SubmittedCell:
        """Return the copy that counts: the last answer, as if all were run in order; of other cells the first."""
        if len(candidates) == 1:
            return candidates[0]
        if cell.role == SOLUTION_CELL:
            question = self._release.questions[cell.grade_id]
            # `answers` compares parsed definitions with the stub's; `defined_names` can be of code that is not Python.
            answers = [item for item in candidates if self._release.answers(question, item.definitions)]
            defining = [item for item in candidates if set(question.names) & item.defined_names]
            changed = [item for item in candidates if not is_stub(self._release, cell, item)]
            return (answers or changed and defining or changed or candidates)[-1]
        if cell.role == WRITTEN:
            return ([item for item in candidates if not is_stub(self._release, cell, item)] or candidates)[-1]
        return candidates[0]

    def _put_halves_together(
        self, cell: Cell, chosen: SubmittedCell, candidates: list[SubmittedCell]
    ) -> list[SubmittedCell]:
        """Join an answer whose cell was split between its functions; return the candidates that are real copies."""
        question = self._release.questions[cell.grade_id]
        parts, answered = [chosen], self._release.answers(question, chosen.definitions)
        for item in candidates:
            further = self._release.answers(question, item.definitions)
            if further and not further & answered:
                parts.append(item)
                answered |= further
        if len(parts) == 1:
            return candidates
        for part in parts:
            part.taken = True
        chosen.become("\n\n\n".join(part.source for part in sorted(parts, key=lambda part: part.index)))
        self._repairs.append(Note(Repair.FUNCTIONS_JOINED, cell=cell.grade_id))
        return [item for item in candidates if item is chosen or item not in parts]

    def _drop_copies(self, cell: Cell, chosen: SubmittedCell, candidates: list[SubmittedCell]) -> None:
        name = cell.grade_id or cell.cell_id
        answer = cell.role in (SOLUTION_CELL, WRITTEN)
        repair = Repair.DUPLICATE_ANSWER_DROPPED if answer else Repair.DUPLICATE_DROPPED
        self._repairs.append(Note(repair, cell=name, values={"count": len(candidates)}))
        others = [item for item in candidates if item is not chosen]
        answers = {chosen.single_spaced}
        for item in others:
            # Copies of given, test and unanswered cells would undo the one that is kept; others stay, as added cells.
            if cell.role in (GIVEN, TEST) or is_stub(self._release, cell, item):
                item.taken = True
            elif cell.role == WRITTEN or self._release.answers(
                self._release.questions[cell.grade_id], item.definitions
            ).intersection(chosen.definitions):
                answers.add(item.single_spaced)
        if len(answers) > 1:
            self._flags.append(Note(Flag.SEVERAL_ANSWERS, cell=name, values={"count": len(answers)}))
