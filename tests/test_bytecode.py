"""Compiled modules, which a kernel cannot write itself."""

import os
import sys
from contextlib import closing
from importlib.util import cache_from_source
from pathlib import Path

import pytest
from student_kernel import run, text

from coursekit.engine.coordinator import bytecode
from coursekit.engine.coordinator.kernel_client import StudentKernel
from coursekit.engine.coordinator.servers import Servers
from coursekit.engine.shared.limits import Limits


@pytest.fixture
def package(tmp_path, monkeypatch):
    """One that was installed without compiled modules, with a module that a notebook imports late."""
    site = tmp_path / "site-packages"
    (site / "bare" / "deep").mkdir(parents=True)
    for name in ("__init__", "late", "deep/__init__", "deep/inner"):
        (site / "bare" / f"{name}.py").write_text("x = 1\n")
    monkeypatch.setattr(sys, "path", [*sys.path, str(site)])
    monkeypatch.setattr(sys, "pycache_prefix", None)
    bytecode.ensure_compiled.cache_clear()
    yield site / "bare"
    bytecode.ensure_compiled.cache_clear()


def test_what_was_installed_without_compiled_modules_is_compiled(package, capsys):
    assert bytecode.uncompiled() == [package]
    assert bytecode.ensure_compiled() == ""
    assert "installed without compiled modules: 1" in capsys.readouterr().err
    assert all(Path(cache_from_source(str(path))).exists() for path in package.rglob("*.py"))
    bytecode.ensure_compiled.cache_clear()
    assert bytecode.uncompiled() == [] and bytecode.ensure_compiled() == "" and not capsys.readouterr().err


@pytest.mark.slow
def test_where_nothing_can_be_written_beside_them_they_are_elsewhere(package, tmp_path, monkeypatch):
    """And kernels find them there. All packages are: Python looks in one place."""
    able = os.access
    monkeypatch.setattr(os, "access", lambda path, mode: able(path, mode) and not str(path).endswith("bare"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(bytecode, "_packages", lambda: [Path(os.__file__).parent / "json", package])
    assert bytecode.ensure_compiled() == str(tmp_path / "cache" / "coursekit" / "pycache")
    assert not list(package.rglob("*.pyc"))
    source = "import json.tool, os\nprint(json.tool.__cached__, os.path.exists(json.tool.__cached__))"
    with Servers() as servers, closing(StudentKernel(servers, Limits())) as kernel:
        printed = text(run(kernel, source))
    assert printed.startswith(str(tmp_path)) and printed.endswith("True\n")
