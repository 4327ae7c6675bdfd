"""The marks that attacks leave when their code gets to its point, however soon the process dies afterwards.

A mark is a folder `reached-…` that student code makes in its scratch folder, where the sandbox lets it write. inotify
keeps its name, so it is known after the scratch folder is gone, and whatever the attack does to the channels on which a
kernel speaks.
"""

import contextlib
import ctypes
import os
import select
import struct
import threading
from pathlib import Path

MARK = "reached-"
SCRATCH = "course-scratch-"
_CREATE, _OVERFLOW = 0x100, 0x4000
_EVENT = struct.Struct("iIII")
_libc = ctypes.CDLL(None, use_errno=True)

# In front of an attack's code, before it can change anything that this needs. Called with what should be true there.
REACHED = (
    "def reached(*took, _make=__import__('os').mkdir, _mark=__import__('os').environ['HOME'] + '/{mark}'):\n"
    "    if False not in [bool(one) for one in took]:\n"
    "        try:\n            _make(_mark)\n        except FileExistsError:\n            pass\n\n\n"
)


class Points:
    """Watches the scratch folders below a folder for as long as it is entered.

    Attributes:
        seen: every mark that was made.
    """

    def __init__(self, folder: Path):
        self._folder = folder
        self.seen: set[str] = set()

    def __enter__(self) -> "Points":
        self._events = _checked(_libc.inotify_init1(os.O_CLOEXEC | os.O_NONBLOCK))
        self._places: dict[int, str] = {}
        self._watch(str(self._folder))
        self._stop, self._stopped = os.pipe()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        return self

    def __exit__(self, *_) -> None:
        os.close(self._stopped)
        self._thread.join()
        for descriptor in (self._events, self._stop):
            os.close(descriptor)

    def _watch(self, folder: str) -> None:
        """From now on, and what is there already."""
        with contextlib.suppress(OSError):  # it is gone
            self._places[_checked(_libc.inotify_add_watch(self._events, os.fsencode(folder), _CREATE))] = (
                folder
            )
            for name in os.listdir(folder):
                self._note(folder, name)

    def _note(self, folder: str, name: str) -> None:
        if name.startswith(MARK):
            self.seen.add(name)
        elif name.startswith(SCRATCH) and folder == str(self._folder):
            self._watch(os.path.join(folder, name))

    def _run(self) -> None:
        while True:
            ready, _, _ = select.select([self._stop, self._events], [], [])
            with contextlib.suppress(BlockingIOError):
                self._read(os.read(self._events, 1 << 20))
            if self._stop in ready:
                return

    def _read(self, data: bytes) -> None:
        place = 0
        while place < len(data):
            watch, mask, _, length = _EVENT.unpack_from(data, place)
            place += _EVENT.size + length
            if mask & _OVERFLOW:  # somebody has made very many files: look at what is there
                for folder in list(self._places.values()):
                    self._watch(folder)
            elif watch in self._places:
                name = os.fsdecode(data[place - length : place].rstrip(b"\0"))
                self._note(self._places[watch], name)


def _checked(answer: int) -> int:
    if answer < 0:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return answer
