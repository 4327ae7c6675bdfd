"""Models that come in pip packages, in parts because a package on PyPI is at most 100 MB; and the user's cache."""

import hashlib
import importlib.util
import os
from collections.abc import Sequence
from pathlib import Path


def package_folder(name: str) -> Path:
    """Return the folder of an installed package without importing it; raise ImportError if it is not installed."""
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise ImportError(f"no package {name}")
    return Path(spec.submodule_search_locations[0])


def join_parts(packages: Sequence[str], pattern: str, sha256: str) -> bytes:
    """Return the model whose parts are the files of this pattern in the packages, by their names in each.

    Raises:
        ImportError: a package is not installed, or the model is not the one with this SHA-256.
    """
    parts = [path for name in packages for path in sorted(package_folder(name).glob(pattern))]
    data = b"".join(path.read_bytes() for path in parts)
    if hashlib.sha256(data).hexdigest() != sha256:
        raise ImportError(f"{', '.join(packages)} hold a different model from the one that was checked")
    return data


def cache_folder(name: str) -> Path:
    """Return the folder of this name in the user's cache. It need not exist."""
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "coursekit" / name
