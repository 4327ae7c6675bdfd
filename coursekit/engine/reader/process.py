"""The reader itself, in a fork of its own server that is locked in already. It knows the released notebook alone."""

import gc
import os
import socket
import traceback
import warnings
from functools import lru_cache
from typing import Any

import msgpack

from coursekit.engine import frames
from coursekit.engine.master import Master
from coursekit.engine.reader import plain
from coursekit.engine.reader.bypass import bypass_flags
from coursekit.engine.reader.choose import choose
from coursekit.engine.repair import Rebuilt, rebuild
from coursekit.engine.repair.difference import difference
from coursekit.engine.repair.known import known_of
from coursekit.engine.repair.unpack import MEMORY


@lru_cache(maxsize=16)
def learn(data: bytes) -> Master:
    """A week, in the server: ready for every later fork."""
    master = plain.unpack_master(data)
    known_of(master)
    gc.collect()
    gc.freeze()
    return master


def main(control: socket.socket, request: dict[str, Any], descriptors: list[int], master: Master) -> None:
    """Read the files behind the descriptors, say what is in them, or what repair changed in it, and end.

    Says ["ok", answer] as `plain` has it, or ["fault", traceback] when the reader itself is wrong.
    """
    gc.disable()  # the process soon ends
    warnings.simplefilter("ignore")  # about the student's code; nobody would see them
    files = [
        (name, lambda number=number, size=size: _read(number, size))
        for (name, size), number in zip(request["files"], descriptors, strict=True)
    ]
    try:
        outcome, repairs, flags = choose(files, f"{master.name}.ipynb", lambda data: rebuild(master, data))
        if request["differences"]:
            answer = plain.pack_differences([] if isinstance(outcome, str) else difference(outcome))
        else:
            if isinstance(outcome, Rebuilt):  # first: of very many flags, the last are dropped
                flags = bypass_flags(master, outcome.cells) + flags
            answer = plain.pack_answer(outcome, repairs, flags, request["output_kb"])
        if len(answer) > plain.MAX_ANSWER:
            raise MemoryError
        said = ["ok", answer]
    except MemoryError:
        said = ["ok", plain.pack_answer(MEMORY, [], [], 0)]
    except Exception:
        said = ["fault", traceback.format_exc(limit=-4)]
    frames.send(control, msgpack.packb(said, unicode_errors="replace"))


def _read(number: int, size: int) -> bytes:
    """So many bytes of a file, from its start: one that grows is not followed."""
    return os.pread(number, size, 0)
