"""Find a written answer that is not in its own cell: in a new cell, in a text cell of the course, or in code.

Only where the answer's own cell is still the stub. A person marks what is found, so a guess costs a look, not a mark.
"""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from coursekit.engine.reader.repair import code
from coursekit.engine.reader.repair.embedded import Pictures, join_texts, mentioned_pictures
from coursekit.engine.reader.repair.match import Matches, is_stub
from coursekit.engine.reader.repair.release import Release, normal_word, normal_words
from coursekit.engine.reader.repair.submitted import SubmittedCell
from coursekit.engine.shared.master import GIVEN, SOLUTION_CELL, WRITTEN, Cell
from coursekit.engine.shared.reasons import Repair
from coursekit.engine.shared.result import Note

# {index of a cell of the master's, or -1 for the top: the student's own cells that follow it}
Added = dict[int, list[SubmittedCell]]

MIN_WORDS = 5  # a shorter comment beside code is about the code
LONG_QUOTE = 6  # words of a line that is the course's wherever it is found in the course's texts
MAX_COMPARED = 4_000_000  # pairs of words of a text and its edited copy
# Between what a student added and the words around it: the end of a table's row, the beginning of a heading or a list.
MARKUP_AROUND = re.compile(r"\A[^\w\n]*\n|\n[ \t]*[#>*+_-]+[ \t]*\Z")
WORD = re.compile(r"\S+")
COMMENT = re.compile(r"^[ \t]*#+[ \t]?(?:@(?:title|markdown)\b)?(.*)$")
SHOWING_CALLS = {"print", "display", "Markdown", "HTML", "Latex"}


@dataclass
class _Found:
    """What was found for one answer.

    Attributes:
        text_cells: new ones.
        given_texts: (words, pictures) that the student added to text cells of the course.
        code: comments and strings.
        code_cells: new ones that hold nothing else.
    """

    text_cells: list[SubmittedCell] = field(default_factory=list)
    given_texts: list[tuple[str, Pictures]] = field(default_factory=list)
    code: list[str] = field(default_factory=list)
    code_cells: list[SubmittedCell] = field(default_factory=list)


def restore_written_answers(release: Release, matched: Matches, added: Added, repairs: list[Note]) -> None:
    """Put what was found for each unanswered written question into `matched`; new cells with it leave `added`."""
    near = _Neighbourhood(release, matched)
    if not near.unanswered:
        return
    found: dict[int, _Found] = defaultdict(_Found)
    for index in sorted(added):
        if (question := near.question_at(index)) is not None:
            for item in added[index]:
                _search_new_cell(release, item, found[question.index])
    for cell in release.master.cells:
        given, edited = release.sources[cell.index], matched.get(cell.index)
        at, above = near.question_at(cell.index), near.question_above(cell.index)
        if edited is None or edited.single_spaced == release.single_spaced[cell.index]:
            continue
        if cell.role == GIVEN and at is not None:
            if cell.kind == "code":
                found[at.index].code += _words_in_code(release, edited, given, top_level=False)
            elif words := _added_words(given, edited.source):
                pictures = mentioned_pictures(edited.pictures, words)
                found[at.index].given_texts.append((words, pictures))
        elif cell.role == SOLUTION_CELL and above is not None:
            found[above.index].code += _words_in_code(release, edited, given, top_level=True)
    for cell in near.unanswered:
        _take(cell, found[cell.index], matched, added, repairs)


class _Neighbourhood:
    """The written questions without an answer, and which of them is near a place."""

    def __init__(self, release: Release, matched: Matches):
        self._cells = release.master.cells
        self.unanswered = [
            cell
            for cell in self._cells
            if cell.role == WRITTEN
            and ((item := matched.get(cell.index)) is None or is_stub(release, cell, item))
        ]
        self._unanswered_indexes = {cell.index for cell in self.unanswered}

    def question_at(self, index: int) -> Cell | None:
        """Return the question that words in or right after this cell belong to.

        It is the nearest above or below, with given cells only between; of equally near ones, the one below.
        """
        above = self.question_above(index + 1)
        below = next((cell for cell in self._cells[index + 1 :] if cell.role != GIVEN), None)
        if below is None or below.index not in self._unanswered_indexes:
            return above
        return above if above is not None and index - above.index < below.index - index else below

    def question_above(self, index: int) -> Cell | None:
        """Return the nearest unanswered question above a cell, if there are given cells only between them."""
        above = next((cell for cell in reversed(self._cells[:index]) if cell.role != GIVEN), None)
        return above if above is not None and above.index in self._unanswered_indexes else None


def _take(cell: Cell, found: _Found, matched: Matches, added: Added, repairs: list[Note]) -> None:
    """Make the words that were found the answer; those in code count only where there are none in texts."""
    texts = [(item.source, item.pictures) for item in found.text_cells]
    kinds = [Repair.ANSWER_FOUND_ELSEWHERE] * bool(texts)
    if found.given_texts:
        texts += found.given_texts
        kinds.append(Repair.WORDS_IN_GIVEN_TEXT)
    taken = found.text_cells
    if not texts and found.code:
        texts = [(text, {}) for text in found.code]
        kinds, taken = [Repair.WORDS_IN_CODE], found.code_cells
    if not texts:
        return
    for items in added.values():
        items[:] = [item for item in items if item not in taken]
    text, pictures = join_texts(texts)
    matched[cell.index] = SubmittedCell("markdown", text, pictures=pictures)
    repairs += (Note(kind, cell=cell.grade_id) for kind in kinds)


def _search_new_cell(release: Release, item: SubmittedCell, found: _Found) -> None:
    """Add to `found` what a cell that the student added holds."""
    if item.kind != "code" or item.tree is None:
        if (words := _without_given_lines(release, item.source)) or item.pictures:
            item.become(words)
            found.text_cells.append(item)
        return
    if code.is_other_language(item.source):  # such as %%writefile answer.txt
        rest = item.source.strip().partition("\n")[2]
        if len(normal_words(rest).split()) >= MIN_WORDS and code.parse(rest) is None:
            found.code.append(rest)
        return
    if pieces := _words_in_code(release, item, "", top_level=False):
        found.code += pieces
        if _is_only_words(item.tree):
            found.code_cells.append(item)


def _without_given_lines(release: Release, text: str) -> str:
    """Return a text without the lines that are the course's: some programs cut its text cells in pieces."""
    lines, everything = release.given_lines, release.given_words
    kept = []
    for line in text.split("\n"):
        normal = normal_words(line)
        if normal and (normal in lines or normal.count(" ") + 1 >= LONG_QUOTE and normal in everything):
            continue
        kept.append(line)
    own = "\n".join(kept).strip()
    return own if normal_words(own) or own == text.strip() else ""


def _added_words(given: str, edited: str) -> str:
    """Return what a student added to a given text; changes of Markdown, white space and addresses do not count."""
    before = [normal for word in given.split() if (normal := normal_word(word))]
    words = [
        (normal, match.start(), match.end())
        for match in WORD.finditer(edited)
        if (normal := normal_word(match[0]))
    ]
    after = [normal for normal, _, _ in words]
    pieces = []
    for first, last in _insertions(before, after):
        start = words[first - 1][2] if first else 0
        end = words[last][1] if last < len(words) else len(edited)  # with the signs after the last word
        pieces.append(MARKUP_AROUND.sub("", edited[start:end]).strip())
    return "\n\n".join(pieces)


def _insertions(before: list[str], after: list[str]) -> Iterator[tuple[int, int]]:
    """Yield where `after` has words that are not in `before`, as (first, end)."""
    start, shorter = 0, min(len(before), len(after))
    while start < shorter and before[start] == after[start]:
        start += 1
    end = 0
    while end < shorter - start and before[-1 - end] == after[-1 - end]:
        end += 1
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    if not new:
        return
    if not old or len(old) * len(new) > MAX_COMPARED:
        yield start, start + len(new)
        return
    for kind, _, _, first, last in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if kind in ("insert", "replace"):
            yield start + first, start + last


def _words_in_code(release: Release, item: SubmittedCell, given: str, top_level: bool) -> list[str]:
    """Return the comments and strings of a code cell that are sentences rather than remarks on the code.

    Args:
        given: the cell in the release, whose lines do not count.
        top_level: only what stands at the left margin.
    """
    tree = item.tree
    if tree is None:
        return []
    only_words = not given and _is_only_words(tree)
    given_lines = {
        normal_words(row) for line in given.split("\n") for row in (line, COMMENT.sub(r"\1", line))
    }
    if (given_tree := code.parse(given)) is not None:  # a string with values in it is not on any line
        for text in _comments_and_strings(given, given_tree, top_level, assigned=False):
            given_lines.update(map(normal_words, text.split("\n")))
    pieces = []
    for text in _comments_and_strings(item.source, tree, top_level, assigned=not given):
        lines = [line for line in text.split("\n") if normal_words(line) not in given_lines]
        own = _without_given_lines(release, "\n".join(lines))
        if normal_words(own) and (only_words or len(normal_words(own).split()) >= MIN_WORDS):
            pieces.append(own)
    if tree.body and only_words and not pieces and normal_words(item.source):
        return [item.source.strip()]  # a word that Python takes for a name
    return pieces


def _comments_and_strings(source: str, tree: ast.Module, top_level: bool, assigned: bool) -> list[str]:
    """Return the comments, neighbouring lines as one, and the strings that stand alone or are only shown, in order."""
    found: list[tuple[int, str]] = []
    string_lines: set[int] = set()
    for node in tree.body if top_level else ast.walk(tree):
        if isinstance(node, ast.Expr | ast.Assign) and (text := _text_of(node, assigned)):
            found.append((node.lineno, text))
            string_lines.update(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    block: list[str] = []
    for number, line in enumerate([*source.split("\n"), ""], 1):
        comment = None if number in string_lines or top_level and line[:1] != "#" else COMMENT.match(line)
        if comment is not None:
            block.append(comment[1].strip())
        elif block:
            if not _is_code("\n".join(block)):
                found.append((number, "\n".join(block)))
            block = []
    return [text for _, text in sorted(found)]


def _text_of(node: ast.Expr | ast.Assign, assigned: bool) -> str:
    """Return the words of a statement that is a string, shows one, or, if `assigned`, gives a long one a name."""
    value = node.value
    if isinstance(node, ast.Assign):
        text = _string(value)
        return text if assigned and len(text.split()) >= MIN_WORDS else ""
    while isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.func.id in SHOWING_CALLS:
        if len(value.args) != 1:
            return " ".join(map(_string, value.args)).strip()
        value = value.args[0]
    return _string(value)


def _string(node: ast.expr) -> str:
    """Return the text of a string, also of several that are added; of an f-string, without its values."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value.strip()
    if isinstance(node, ast.JoinedStr):
        return " ".join(filter(None, map(_string, node.values)))
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        parts: list[ast.expr] = [node]
        while isinstance(parts[0], ast.BinOp) and isinstance(parts[0].op, ast.Add):
            parts[:1] = [parts[0].left, parts[0].right]
        texts = [_string(part) for part in parts if not isinstance(part, ast.BinOp)]
        return " ".join(texts) if all(texts) else ""
    return ""


def _is_code(comment: str) -> bool:
    """Return whether a comment is code that was switched off."""
    tree = code.parse(comment)
    return tree is not None and not _is_only_words(tree)


def _is_only_words(tree: ast.Module) -> bool:
    """Return whether a cell does nothing but hold or show words."""
    return all(
        isinstance(node, ast.Expr | ast.Assign)
        and (_text_of(node, assigned=True) or isinstance(node, ast.Expr) and _is_plain(node.value))
        for node in tree.body
    )


def _is_plain(node: ast.expr) -> bool:
    """Return whether an expression is a word or a few ("yes", "B", "larger or equal"), not a computation."""
    return all(
        isinstance(part, ast.Name | ast.Constant | ast.BoolOp | ast.Compare | ast.Tuple | ast.UnaryOp)
        or not isinstance(part, ast.expr)
        for part in ast.walk(node)
    )
