"""Cases that are a small Python file each: attacks, damages, habits."""

import importlib.util
from pathlib import Path
from types import ModuleType


def load(path: Path) -> ModuleType:
    """The file as a module. It is not importable by a name: its folder says what kind of case it is."""
    name = ".".join((*path.parts[-3:-1], path.stem))
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
