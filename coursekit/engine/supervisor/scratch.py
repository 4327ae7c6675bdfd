"""A fork's scratch folder, as its guardian sees it: how much is in it, and away with it.

What is in it may have been put there to be in the way: folders a million deep, without rights, a million of them. So
nothing here recurses, and no path grows with the depth of the folder.
"""

import contextlib
import os
import secrets
from pathlib import Path

PREFIX = "course-scratch-"
MAX_ENTRIES = 10_000  # files and folders
MAX_DEPTH = 40


def is_full(scratch: Path, most_mb: int, used: int = 0) -> bool:
    """Whether more is in the folder than may be, or what cannot be looked at.

    Args:
        scratch: the folder.
        most_mb: MiB that may be in it.
        used: bytes that its owner has on the disk beside it.
    """
    entries = 0
    waiting = [(str(scratch), 0)]
    while waiting:
        folder, depth = waiting.pop()
        try:
            with os.scandir(folder) as found:
                for entry in found:
                    entries += 1
                    with contextlib.suppress(FileNotFoundError):
                        used += entry.stat(follow_symlinks=False).st_blocks * 512
                    if entries > MAX_ENTRIES or used > most_mb << 20:
                        return True
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append((entry.path, depth + 1))
        except (FileNotFoundError, NotADirectoryError):  # gone meanwhile
            continue
        except OSError:
            return True
        if depth > MAX_DEPTH:
            return True
    return False


def remove(scratch: Path) -> None:
    """Remove the folder, whatever is in it. Call it when nobody is left who could change it.

    Folders inside folders are moved up to the top before their own is removed.

    Raises:
        ValueError: that is no scratch folder. Whatever went wrong before, nobody's own files are to go.
    """
    if not scratch.name.startswith(PREFIX):
        raise ValueError(f"{str(scratch)!r} is no scratch folder")
    with contextlib.suppress(OSError):
        top = os.open(scratch, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
        try:
            while names := os.listdir(top):
                if not sum([_remove(top, name) for name in names]):
                    break
        finally:
            os.close(top)
        os.rmdir(scratch)


def _remove(top: int, name: str) -> bool:
    """Remove one entry of the top folder; what is inside it comes to the top. False when it did not go."""
    try:
        os.unlink(name, dir_fd=top)
        return True
    except IsADirectoryError:
        pass
    except OSError:
        return False
    try:
        with contextlib.suppress(OSError):  # most are empty
            os.rmdir(name, dir_fd=top)
            return True
        folder = _enter(top, name)
        try:
            for inner in os.listdir(folder):
                try:
                    os.unlink(inner, dir_fd=folder)
                except IsADirectoryError:
                    os.close(_enter(folder, inner))  # a folder without rights cannot be moved
                    os.rename(inner, secrets.token_hex(8), src_dir_fd=folder, dst_dir_fd=top)
        finally:
            os.close(folder)
        os.rmdir(name, dir_fd=top)
    except OSError:
        return False
    return True


def _enter(parent: int, name: str) -> int:
    """Open a folder, after giving its owner all rights to it."""
    handle = os.open(name, os.O_PATH | os.O_NOFOLLOW | os.O_DIRECTORY, dir_fd=parent)
    try:
        os.chmod(f"/proc/self/fd/{handle}", 0o700)
    finally:
        os.close(handle)
    return os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY, dir_fd=parent)
