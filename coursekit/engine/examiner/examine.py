"""The examiner's process: executes the setup cells once, and each test cell in a fresh copy of their names.

Started by the examiner's fork server, driven by `coordinator.examiner_client` over a socket of its own. Only this
process decides that a test passed: when the test has run to its end.
"""

import io
import marshal
import socket
import sys
import traceback
from contextlib import redirect_stderr, redirect_stdout, suppress
from dataclasses import asdict
from typing import Any

import msgpack

from coursekit.engine.examiner.comparison import comparison_of_failure
from coursekit.engine.examiner.reference_definitions import Definitions
from coursekit.engine.examiner.standin import Session, StudentError, UndefinedName
from coursekit.engine.shared import frames, library, result
from coursekit.engine.shared.program import HIDDEN_SEED, CompiledTest, Examined, ReferenceDefinitions
from coursekit.engine.shared.reasons import TestReason, Values

MAX_TEXT = 10_000  # characters of an error that are reported; the coordinator keeps fewer


class Examiner:
    """Runs test cells against one submission's student kernel.

    Args:
        setup: the source of the master's setup cells.
    """

    def __init__(self, setup: str):
        self._setup: dict[str, Any] = {"__name__": "__main__"}
        with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
            exec(compile(setup, "<setup>", "exec"), self._setup)
        self._connection: socket.socket | None = None

    def attach(self, connection: socket.socket) -> None:
        """Talk to this student kernel from now on."""
        if self._connection:
            self._connection.close()
        self._connection = connection

    def run(self, test: CompiledTest, references: ReferenceDefinitions, hidden_seed: int = 0) -> Examined:
        """Run one test cell, while the student's code uses the reference definitions, and return what came of it.

        The trace is that of the inputs which the seed 0 gives, whatever the seed, so that mistakes can be compared. The
        coordinator limits the time.
        """
        examined = self._run_once(test, references, hidden_seed)
        if examined.trace and examined.intact and test.seeded and hidden_seed:
            again = self._run_once(test, references, 0)
            shared_limit = examined.shared_limit or again.shared_limit
            return examined._replace(trace=again.trace, intact=again.intact, shared_limit=shared_limit)
        return examined

    def _run_once(self, test: CompiledTest, references: ReferenceDefinitions, hidden_seed: int) -> Examined:
        assert self._connection is not None, "no kernel is attached"
        session = Session(self._connection)
        outcome: result.Outcome = result.PASSED
        reason: TestReason | None = None
        values: Values = {}
        failure = None
        try:
            with redirect_stdout(io.StringIO()), redirect_stderr(io.StringIO()):
                self._execute(test, references, hidden_seed, session)
        except BaseException as error:
            failure = error
            outcome, reason, values = explain(error, session.broken)
        intact = not session.broken and not isinstance(failure, MemoryError)  # the kernel can still be used
        if intact:
            with suppress(OSError):
                session.done()
        trace = str(session.trace) if outcome in (result.FAILED, result.ERROR) else ""
        difference = (
            comparison_of_failure(failure.__traceback__, test.asserts)
            if outcome == result.FAILED and failure
            else None
        )
        comparison = asdict(difference) if difference is not None else None
        return Examined(
            outcome,
            reason,
            values,
            trace,
            comparison,
            intact,
            session.shared_limit,
            session.requests.hexdigest(),
        )

    def _execute(
        self, test: CompiledTest, references: ReferenceDefinitions, hidden_seed: int, session: Session
    ) -> None:
        if test.seeded:
            self._setup[HIDDEN_SEED] = hidden_seed  # functions of the setup cells see it, too
        namespace = dict(self._setup)
        if references.names:
            definitions = library.current.definitions_class(Definitions)(
                self._setup, references.code, references.names
            )
            session.use_references(definitions.kinds, definitions.services)
        namespace.update(session.names(test.names))
        for name, source, names in test.probes:
            namespace[name] = session.define(source, name, names)
        exec(marshal.loads(test.code), namespace)


def explain(error: BaseException, broken: bool) -> tuple[result.Outcome, TestReason, Values]:
    """Return the outcome of a test that raised, the reason code, and the values for its sentence.

    Args:
        broken: the student kernel is gone, or has sent bytes that break the protocol.
    """
    text = str(error)[:MAX_TEXT].strip()
    if isinstance(error, MemoryError):
        return result.STOPPED, TestReason.MEMORY, {}
    if isinstance(error, StudentError):
        values = {"error": error.original, "text": text, "where": error.where[:MAX_TEXT]}
        if isinstance(error, NotImplementedError):
            return result.ERROR, TestReason.NOT_ANSWERED, values
        # Else it was raised by the test's own code in the student kernel, or by a library.
        return result.ERROR, TestReason.RAISED if error.where else TestReason.UNUSABLE_VALUE, values
    if isinstance(error, AssertionError):
        return result.FAILED, TestReason.CHECK_FAILED, {"text": text or "The check was not true."}
    if broken and isinstance(error, EOFError | ConnectionError):
        return result.STOPPED, TestReason.DIED, {}
    if isinstance(error, frames.WireError):
        return result.ERROR, TestReason.UNREADABLE_VALUE, {"text": text}
    if isinstance(error, UndefinedName):
        return result.ERROR, TestReason.UNDEFINED, {"name": error.undefined}
    return result.ERROR, TestReason.UNUSABLE_VALUE, {"error": type(error).__name__, "text": text}


def main(control: socket.socket) -> None:
    """Carry out the coordinator's commands until it hangs up. Called by the fork server, in the fork."""
    examiner: Examiner  # from the coordinator's first command, "open", on
    reply: list[Any]
    while True:
        try:
            data, fds = frames.receive_with_fds(control, 1)
        except (EOFError, OSError):
            return
        command, *arguments = msgpack.unpackb(data)
        try:
            if command == "open":
                examiner = Examiner(*arguments)
                reply = ["ok"]
            elif command == "attach":
                examiner.attach(socket.socket(fileno=fds[0]))
                reply = ["ok"]
            elif command == "test":
                test, references, hidden_seed = arguments
                reply = [
                    "ok",
                    *examiner.run(CompiledTest(*test), ReferenceDefinitions(*references), hidden_seed),
                ]
            else:
                reply = ["error", f"unknown command {command}"]
        except BaseException:
            traceback.print_exc(file=sys.stderr)
            reply = ["error", traceback.format_exc(limit=-3)[-MAX_TEXT:]]
        frames.send(control, msgpack.packb(reply, unicode_errors="replace"))
