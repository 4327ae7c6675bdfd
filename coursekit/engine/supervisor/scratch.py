"""Fill, measure and remove a fork's scratch folder, which is the working folder of what runs in it.

Hostile code may fill it so that it is hard to remove: a million folders, nested, made without permissions. Therefore
nothing here recurses; `is_full` goes MAX_DEPTH levels deep, and `remove` uses no path longer than a name.
"""

import contextlib
import os
import secrets
import shutil
from collections.abc import Iterable
from pathlib import Path

PREFIX = "course-scratch-"
MAX_ENTRIES = 10_000  # files and folders
MAX_DEPTH = 40


def link(scratch: Path, files: Iterable[tuple[str, str]], copy: bool = False) -> None:
    """Make links to files that the fork may read.

    Args:
        files: (path in the folder, path of the file).
        copy: make copies instead, for a fork that is not confined and could write to the files themselves.
    """
    for name, path in files:
        place = scratch / name
        place.parent.mkdir(parents=True, exist_ok=True)
        if copy:
            shutil.copyfile(path, place)
        else:
            place.symlink_to(path)


def copy(scratch: Path, files: Iterable[tuple[str, int, int, int]]) -> None:
    """Put copies of open files into the folder.

    Args:
        files: (path in the folder, descriptor, position in the file at which it begins, size in bytes).
    """
    for name, descriptor, begin, size in files:
        place = scratch / name
        place.parent.mkdir(parents=True, exist_ok=True)
        with open(place, "xb") as file:
            while size > 0 and (count := os.sendfile(file.fileno(), descriptor, begin, size)):
                begin, size = begin + count, size - count


def is_full(scratch: Path, max_mb: int, used: int = 0) -> bool:
    """Return whether the folder holds too many bytes, entries or levels, or a folder that cannot be read.

    Args:
        scratch: the folder.
        max_mb: MiB that it may hold.
        used: bytes on the disk in files that the fork has open but that have no name any more; they count, too.
    """
    entries = 0
    waiting = [(str(scratch), 0)]
    while waiting:
        folder, depth = waiting.pop()
        try:
            with os.scandir(folder) as listing:
                for entry in listing:
                    entries += 1
                    with contextlib.suppress(FileNotFoundError):
                        used += entry.stat(follow_symlinks=False).st_blocks * 512
                    if entries > MAX_ENTRIES or used > max_mb << 20:
                        return True
                    if entry.is_dir(follow_symlinks=False):
                        waiting.append((entry.path, depth + 1))
        except (FileNotFoundError, NotADirectoryError):  # removed since it was listed
            continue
        except OSError:
            return True
        if depth > MAX_DEPTH:
            return True
    return False


def remove(scratch: Path) -> None:
    """Remove the folder and its content, as far as possible. Call this when no process is left that could change it.

    Folders inside folders are moved up to the top before their parents are removed.

    Raises:
        ValueError: the folder is not a scratch folder, so its files may be somebody's.
    """
    if not scratch.name.startswith(PREFIX):
        raise ValueError(f"{str(scratch)!r} is not a scratch folder")
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
    """Remove one entry of the top folder, moving what is inside it to the top. Return whether it is gone."""
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
                    os.close(_enter(folder, inner))  # a folder without permissions cannot be moved
                    os.rename(inner, secrets.token_hex(8), src_dir_fd=folder, dst_dir_fd=top)
        finally:
            os.close(folder)
        os.rmdir(name, dir_fd=top)
    except OSError:
        return False
    return True


def _enter(parent: int, name: str) -> int:
    """Give a folder's owner all permissions for it, and return a descriptor of it."""
    handle = os.open(name, os.O_PATH | os.O_NOFOLLOW | os.O_DIRECTORY, dir_fd=parent)
    try:
        os.chmod(f"/proc/self/fd/{handle}", 0o700)
    finally:
        os.close(handle)
    return os.open(name, os.O_RDONLY | os.O_NOFOLLOW | os.O_DIRECTORY, dir_fd=parent)
