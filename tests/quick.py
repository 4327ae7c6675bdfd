"""How much is tried: by `make test`, by CI's slow tests after each push, by the nightly ones, and with COURSE_ALL=1."""

import os
from collections.abc import Iterable
from typing import Any

import pytest

# Whether slow tests try all that they could, which takes hours on two cores.
ALL = bool(os.environ.get("COURSE_ALL"))


# Files and folders whose slow tests CI runs in the nightly workflow alone; their quick tests run after each push, too.
NIGHTLY = (
    # many tries of what quick tests try once: random bytes, other machines, a kill at any moment, each name of torch
    *("fuzz", "machines", "lossless", "test_ready_made.py"),
    # the notebooks' content, the pages around it and the documentation, which change less often than the tool
    *("test_explorer.py", "test_novel.py", "test_gpt2.py", "test_minilm.py", "test_findings.py"),
    *(
        "test_bank_in_the_notebook.py",
        "test_threads.py",
        "test_source_mistakes.py",
        "test_demo_class.py",
        "test_docs.py",
    ),
    # environments that are installed first: other versions, the wheel, the voices, the hooks
    *(
        "test_colab_versions.py",
        "test_package.py",
        "test_kokoro.py",
        "test_transcription.py",
        "test_pre_commit.py",
    ),
    # programs of others around the tool: nbgrader and its formgrader, JupyterLab, Dask, PostgreSQL, archives
    *("test_plain_nbgrader.py", "test_nbgrader_export.py", "test_formgrader.py", "test_students_way.py"),
    *("test_cluster.py", "test_postgres.py", "test_archives.py", "test_narration_archive.py"),
)


def first(count: int, values: Iterable[Any]) -> list[Any]:
    """For `parametrize`: all but the first so many are slow."""
    found = list(values)
    return found[:count] + [
        pytest.param(*(value if isinstance(value, tuple) else (value,)), marks=pytest.mark.slow)
        for value in found[count:]
    ]
