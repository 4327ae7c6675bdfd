"""Notebooks after any edits: repair and grading never raise, always answer, and never give what was not earned."""

import json
import time

import nbformat
from amount import amount
from contract import check_result
from hypothesis import event, given
from hypothesis import strategies as st
from small_course import cells, code, graded, master_of, triple_cells
from strategies import edited

from coursekit.engine.coordinator.grade import grade
from coursekit.engine.coordinator.sentences import sentence
from coursekit.engine.reader.repair import UnreadableFile, rebuild
from coursekit.engine.shared.limits import Limits
from coursekit.engine.shared.master import GIVEN, TEST, fill
from coursekit.engine.shared.result import UNREADABLE

LIMITS = Limits(cell_seconds=2, test_seconds=2, all_cells_seconds=10, memory_mb=1024)
INPLACE = "# Test: a probe\ndef probe_kind(function):\n    return function(1)\nassert probe_kind(triple) == 3"
PROBE = code("triple-probe", INPLACE, **graded("triple_probe", grade=True, points=2))
CELLS = [*cells(), *triple_cells(), PROBE, code("last", "print('end')")]
MASTER = master_of(*CELLS)
RIGHT = {
    "double": "def double(x):\n    return x + x",
    "triple": "def triple(x):\n    return 3 * x",
    "why": "So.",
}
# No edit of it can happen to be right.
WRONG = {"double": "def double(x):\n    pass", "triple": "def triple(x):\n    pass", "why": "So."}


class Notebook(dict):
    def __repr__(self):
        return "<the notebook>"  # hypothesis shows the edits


right, wrong = (Notebook(json.loads(fill(MASTER, answers))) for answers in (RIGHT, WRONG))


@amount(60, 450)
def test_repair_gives_the_masters_structure_or_says_why_not(tries):
    @tries
    @given(edited(right, most=12) | st.binary(max_size=300))
    def check(data):
        started = time.process_time()
        try:
            rebuilt = rebuild(MASTER, data)
        except UnreadableFile as reason:
            event(str(reason))
            assert sentence(reason.note).endswith(".")
            return
        finally:
            assert time.process_time() - started < 3
        event("repaired" if rebuilt.repairs else "as handed in")
        ours = [item for item in rebuilt.cells if item.master is not None]
        assert [item.master for item in ours] == list(MASTER.cells)
        for item in ours:
            if item.master.role in (GIVEN, TEST):
                assert (item.source, item.kind) == (item.master.source, item.master.kind)
            assert not (item.master.role == TEST and item.run)
        for item in rebuilt.cells:
            item.source.encode("utf-8")
        for note in rebuilt.repairs + rebuilt.flags:
            assert sentence(note).encode("utf-8")

    check()


@amount(6, 60)
def test_grading_always_gives_a_valid_result(tries, servers):
    @tries
    @given(st.booleans().flatmap(lambda good: st.tuples(st.just(good), edited(right if good else wrong))))
    def check(drawn):
        good, data = drawn
        outcome = grade(MASTER, data, LIMITS, servers)
        check_result(outcome.result, MASTER)
        event(outcome.result.status)
        if not good:
            assert outcome.result.score == 0
        notebook = nbformat.reads(outcome.notebook.decode("utf-8"), 4)
        sources = {cell.metadata.get("nbgrader", {}).get("grade_id"): cell for cell in notebook.cells}
        for cell in MASTER.cells:
            if cell.role == TEST:
                node = sources[cell.grade_id]
                unread = outcome.result.status == UNREADABLE  # then it is the released notebook
                assert node.source == (MASTER.released_source(cell) if unread else cell.source)
                assert node.metadata.nbgrader.points == cell.points

    check()


def test_the_wrong_answers_are_wrong_and_the_right_ones_right(servers):
    """What the fuzz test above leans on."""
    for answers, score in ((RIGHT, 9), (WRONG, 0)):
        result = grade(MASTER, fill(MASTER, answers), LIMITS, servers).result
        check_result(result, MASTER)
        assert result.score == score
