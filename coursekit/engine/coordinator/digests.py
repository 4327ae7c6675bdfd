"""Hashes of all that a result and each of its verdicts depend on: equal hashes, equal marks."""

import hashlib
import importlib.metadata
import json
import platform
from bisect import bisect
from functools import cache
from pathlib import Path
from typing import Any

from coursekit.engine.coordinator.compiling import compile_reference_definitions, compile_test
from coursekit.engine.coordinator.submission import Submission
from coursekit.engine.shared.limits import Limits
from coursekit.engine.shared.master import Master
from coursekit.engine.shared.rebuilt import Rebuilt
from coursekit.engine.shared.result import json_bytes

PACKAGES = ("numpy", "ipykernel", "ipython")  # whose versions marks depend on in every course


def digests_of(
    master: Master,
    rebuilt: Rebuilt,
    program: dict[int, list[Any]],
    files: list[list[str]],
    limits: Limits,
    unsafe: bool,
    hidden_seed: int,
) -> dict[str, str]:
    """Return {test: sha256 of all that its verdict depends on}.

    All tests share the program, the files in its working folder, the setup, the names of the solutions, the engine, and
    whether code is confined. Each adds its source, its place among the program's cells, the names that its question
    refuses, its reference definitions, and the hidden seed if it draws from that. Points, titles, prose and the other
    tests do not count.

    Args:
        program: {position: [source, whether it runs, saved outputs]} of the code cells that are no tests.
        files: [path, sha256] of each file in the working folder.
    """
    shared = [
        engine_digest(limits),
        unsafe,
        master.setup_source,
        master.solution_names,
        list(program.values()),
        files,
    ]
    base = _digest(shared)
    refused, positions = master.from_scratch, list(program)
    return {
        test.grade_id: _digest(
            [
                base,
                bisect(positions, position),
                item.source,
                refused[test.question],
                compile_reference_definitions(master, test.question).code.hex(),
                hidden_seed if test.hidden and compile_test(item.source, master.solution_names).seeded else 0,
            ]
        )
        for position, item in enumerate(rebuilt.cells)
        if (test := item.test) is not None
    }


def _digest(value: Any) -> str:
    return hashlib.sha256(json_bytes(value)).hexdigest()


def hashes(master: Master, submission: bytes | Submission, limits: Limits) -> dict[str, str]:
    """Return the hashes of all that a result depends on, by what is hashed: equal hashes, equal marks."""
    handed_in = (
        submission.digest if isinstance(submission, Submission) else hashlib.sha256(submission).hexdigest()
    )
    return {"master": master.digest, "submission": handed_in, "engine": engine_digest(limits)}


@cache
def engine_digest(limits: Limits) -> str:
    """Return a sha256 over the engine's source, the limits and the installed versions that marks depend on."""
    digest = hashlib.sha256(repr(limits).encode())
    for path in sorted(Path(__file__).parent.parent.rglob("*.py")):
        digest.update(path.read_bytes())
    digest.update(json.dumps(installed(limits)).encode())
    return digest.hexdigest()


def installed(limits: Limits) -> dict[str, str]:
    """Return the versions that marks depend on: {"Python": "CPython 3.11.2", package: version}."""
    versions = {"Python": f"{platform.python_implementation()} {platform.python_version()}"}
    for name in dict.fromkeys((*PACKAGES, *(module.partition(".")[0] for module in limits.modules))):
        try:
            versions[name] = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:  # it is in a package of another name, or Python's own
            for package in importlib.metadata.packages_distributions().get(name, ()):
                versions[package] = importlib.metadata.version(package)
    return versions
