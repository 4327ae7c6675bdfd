"""grade(master, submission, limits, servers) -> Graded: the result of one notebook.

The points depend on two notebooks, the limits, and the engine and libraries that are installed, not on a database, a
folder layout or a class. Cells run in the master's order, and each test runs at its place among them, so that a later
cell cannot change a name for an earlier question.

Given what came of the student's last submission, `grade` repeats only tests that can have another outcome: a verdict is
kept as long as all that it depends on is the same.
"""

import json
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

from coursekit.engine.coordinator.digests import digests_of
from coursekit.engine.coordinator.outcome import Conditions, Graded, graded_of, unreadable
from coursekit.engine.coordinator.reader_client import read
from coursekit.engine.coordinator.run import Run
from coursekit.engine.coordinator.servers import Servers
from coursekit.engine.coordinator.submission import Submission
from coursekit.engine.coordinator.transcript import Transcript
from coursekit.engine.coordinator.warm_modules import modules_to_import
from coursekit.engine.coordinator.working_folder import WorkingFolder
from coursekit.engine.shared.limits import Limits
from coursekit.engine.shared.master import Master
from coursekit.engine.shared.outputs import OutputBudget
from coursekit.engine.shared.rebuilt import Rebuilt
from coursekit.engine.shared.result import Verdict


def grade(
    master: Master,
    submission: bytes | Submission,
    limits: Limits,
    servers: Servers,
    earlier: Graded | None = None,
) -> Graded:
    """Grade one submission.

    Args:
        master: the instructor's notebook.
        submission: of a student; bytes are one file with the right name.
        limits: of the submission.
        servers: that fork its reader, its kernel and its examiner.
        earlier: what came of this student's last submission, against any version of the master. It changes how much
            is run, not the result.

    Raises:
        ServerLost: a process of the engine died, so the submission has to be graded again.
        CourseError: this machine cannot fork kernels, a file was changed, or a test of the master is not Python.
        ReaderFault, WireError, OSError: the reader failed.
    """
    if isinstance(submission, bytes):
        with Submission.of_bytes({f"{master.name}.ipynb": submission}) as opened:
            return grade(master, opened, limits, servers, earlier)
    started = time.monotonic()
    rebuilt = read(master, submission, limits, servers)
    submission.check_unchanged()

    def conditions() -> Conditions:
        return Conditions(servers.unsafe, servers.calibration, round(time.monotonic() - started, 3))

    if rebuilt.unreadable is not None:
        return unreadable(master, submission, limits, rebuilt, rebuilt.unreadable, conditions())
    program = _program(rebuilt, limits)
    with WorkingFolder.of(master, submission, rebuilt) as folder:
        repairs, flags = (*rebuilt.repairs, *folder.repairs), (*rebuilt.flags, *folder.flags)
        rebuilt = replace(rebuilt, repairs=repairs, flags=flags)
        digests = digests_of(
            master, rebuilt, program, folder.digests, limits, servers.unsafe, submission.hidden_seed
        )
        run = partial(Run, master, rebuilt, folder, limits, servers, submission.hidden_seed)
        transcript = earlier and _transcript_kept(run, program, digests, earlier)
        if not transcript:
            transcript = run().run()
    submission.check_unchanged()
    for file in master.data_files:
        file.check_unchanged()
    return graded_of(master, submission, limits, rebuilt, transcript, digests, conditions())


def warm_modules(master: Master, limits: Limits) -> list[str]:
    """Return the modules that the fork servers import for a week: those of the course that its cells import."""
    return modules_to_import(
        ((cell.source, cell.tags) for cell in master.cells if cell.kind == "code"), limits
    )


def _program(rebuilt: Rebuilt, limits: Limits) -> dict[int, list[Any]]:
    """Return {position: [source, whether it runs, saved outputs]} of code cells but tests and those with neither."""
    program = {}
    for position, item in enumerate(rebuilt.cells):
        if item.kind == "code" and item.test is None:
            saved: list[dict[str, Any]] = []
            OutputBudget(limits.output_kb).put_saved(saved, item.outputs)
            if item.run or saved:
                program[position] = [item.source, item.run, saved]
    return program


def _transcript_kept(
    run: Callable[[dict[str, Verdict]], Run],
    program: dict[int, list[Any]],
    digests: dict[str, str],
    earlier: Graded,
) -> Transcript | None:
    """Return the transcript, with each verdict whose digest is known; if all are known, no kernel is started.

    Args:
        run: makes the run of this submission, given the verdicts that need not be found again.

    None if everything has to be run: no verdict can be kept, the program has changed, a cell, a test or a process was
    stopped, or the cells print other output than before, perhaps because of a random generator's or a counter's state.
    """
    known_verdicts = {
        test.digest: Verdict(test.outcome, test.reason, test.message, test.trace, test.comparison)
        for test in earlier.result.tests
        if test.digest
    }
    verdicts = {test: known_verdicts[digest] for test, digest in digests.items() if digest in known_verdicts}
    outputs_before = _program_outputs(program, earlier.notebook)
    if not verdicts or outputs_before is None:
        return None
    if len(verdicts) == len(digests):
        return Transcript.without_run(outputs_before, verdicts)
    transcript = run(verdicts).run()
    same_outputs = outputs_before == {position: transcript.outputs.get(position, []) for position in program}
    return transcript if transcript.undisturbed and same_outputs else None


def _program_outputs(program: dict[int, list[Any]], notebook: bytes) -> dict[int, list[Any]] | None:
    """Return {position: outputs} from an earlier graded notebook; None if that has another program."""

    def is_test(cell: dict[str, Any]) -> bool:
        grader = cell["metadata"].get("nbgrader", {})
        return bool(grader.get("grade") and not grader.get("solution"))

    cells = [
        cell
        for cell in json.loads(notebook)["cells"]
        if cell["cell_type"] == "code" and not is_test(cell) and (cell["execution_count"] or cell["outputs"])
    ]
    if [source for source, _, _ in program.values()] != [cell["source"] for cell in cells]:
        return None
    return {position: cell["outputs"] for position, cell in zip(program, cells, strict=True)}
