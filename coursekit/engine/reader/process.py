"""The reader process: a fork that is locked in before it starts. It knows only the released notebook."""

import gc
import os
import socket
import traceback
import warnings
from collections.abc import Callable
from functools import lru_cache, partial
from itertools import islice
from pathlib import PurePosixPath
from typing import Any

import msgpack

from coursekit.engine.reader.beside import add_files, limit_pictures
from coursekit.engine.reader.bypass_hints import bypass_flags, bypass_flags_of_files
from coursekit.engine.reader.choose import Choice, Files, choose
from coursekit.engine.reader.newer_python import newer_python_flags
from coursekit.engine.reader.packages import missing_package_flags, taken_name_flags
from coursekit.engine.reader.pictures import reduced_picture
from coursekit.engine.reader.repair import Draft, DraftCell, UnreadableFile, rebuild, unpack
from coursekit.engine.reader.repair.difference import difference
from coursekit.engine.reader.repair.release import release_of
from coursekit.engine.reader.repair.unpack import members_beside
from coursekit.engine.shared import file_names, frames, reader_messages
from coursekit.engine.shared.master import Master
from coursekit.engine.shared.reader_messages import ANSWER_ROLES, MAX_TEXT, MAX_VALUE
from coursekit.engine.shared.reasons import Flag, Unreadable
from coursekit.engine.shared.rebuilt import Rebuilt, RebuiltCell
from coursekit.engine.shared.result import Note

MAX_BESIDE = 8 << 20  # bytes of the files in a notebook's archive that its code can use


@lru_cache(maxsize=16)
def learn(data: bytes) -> Master:
    """In the fork server: unpack a week's master, prepare it for all later forks, and return it."""
    master = reader_messages.unpack_master(data)
    release_of(master)
    gc.collect()
    gc.freeze()
    return master


def main(control: socket.socket, request: dict[str, Any], descriptors: list[int], master: Master) -> None:
    """Read the open files, and send what the request `wants`.

    That is the rebuilt "notebook", the "differences" that repair made, or its "pictures" from the number `first` on,
    each in a reply of its own. A reply is ["ok", answer], packed by `reader_messages`, or ["fault", traceback] if the
    reader itself failed.

    Args:
        control: where the replies are sent.
        request: {"files": (name, bytes) of each file, "wants": see above, "first": of pictures, "output_kb": of
            outputs that are kept}.
        descriptors: of the open files, in the same order.
    """
    gc.disable()  # the process ends soon
    warnings.simplefilter("ignore")  # about the student's code; nobody would see them
    # A file may have grown since it was hashed: only its first `size` bytes are read.
    files = {
        name: partial(os.pread, descriptor, size, 0)
        for (name, size), descriptor in zip(request["files"], descriptors, strict=True)
    }
    differences = request["wants"] == "differences"
    try:
        candidates = dict(islice(files.items(), file_names.MAX_CANDIDATES))
        choice = choose(candidates, f"{master.name}.ipynb", lambda data: rebuild(master, data))
        draft = choice.draft if isinstance(choice.draft, Draft) else Draft([])
        add_files(draft, _files_beside(master, files, choice.name))
        limit_pictures(draft)
        if request["wants"] == "pictures":
            pictures = [picture for item in draft.cells for picture in item.pictures.values()]
            for picture in pictures[request["first"] :]:
                frames.send(control, msgpack.packb(["ok", _reduced(picture)]))
            return
        if differences:
            answer = reader_messages.pack_differences(difference(draft))
        else:
            answer = reader_messages.pack_answer(rebuilt_of(master, choice, files), request["output_kb"])
        if len(answer) > reader_messages.MAX_ANSWER:
            raise MemoryError
        reply = ["ok", answer]
    except MemoryError:
        unreadable = Rebuilt(unreadable=UnreadableFile(Unreadable.MEMORY).note)
        pack_nothing = (
            reader_messages.pack_differences([])
            if differences
            else reader_messages.pack_answer(unreadable, 0)
        )
        reply = ["ok", pack_nothing]
    except Exception:
        reply = ["fault", traceback.format_exc(limit=-4)]
    frames.send(control, msgpack.packb(reply, unicode_errors="replace"))


def _files_beside(master: Master, files: Files, notebook: str) -> Files:
    """Return the files beside the notebook, also those in its archive, without copies of the week's own files."""
    weeks_own = {file.name for file in master.data_files}
    found: dict[str, Callable[[], bytes]] = {}
    for name, read in files.items():
        if name == notebook:
            members, _ = members_beside(read(), master.name, unpack.MAX_UNPACKED)
            found |= {path: partial(bytes, data) for path, data in members}
        elif PurePosixPath(name).name not in weeks_own:
            found[name] = read
    return found


def _reduced(picture: Callable[[], bytes]) -> bytes:
    try:
        return reduced_picture(picture())
    except MemoryError:
        return b""


def rebuilt_of(master: Master, choice: Choice, files: Files) -> Rebuilt:
    """Return the notebook that is graded, with its repairs and flags, and the files in its archive.

    Args:
        files: all that were handed in.
    """
    draft, repairs, flags, name = choice
    if isinstance(draft, Note):
        return Rebuilt(repairs=tuple(repairs), flags=tuple(flags), unreadable=draft)
    unpacked, left_out = members_beside(files[name](), master.name, MAX_BESIDE) if name else ([], [])
    # {path in the notebook's folder: function that reads it} of the files that its code finds there
    beside = {path: files[other] for path, other in file_names.paths_beside(files, name).items()}
    beside |= {path: partial(bytes, data) for path, data in unpacked}
    for file in master.data_files:  # the week's own files replace copies of them
        beside.pop(file.name, None)
    flags += [Note(Flag.FILE_LEFT_OUT, values={"name": path[:MAX_VALUE]}) for path in left_out]
    # These come first: of very many flags, the last are dropped.
    flags = bypass_flags(master, draft.cells) + bypass_flags_of_files(master, beside) + flags
    flags += (
        newer_python_flags(master, draft)
        + missing_package_flags(master, draft.cells, beside)
        + taken_name_flags(draft.cells, beside)
    )
    try:
        flags += _cut_texts(draft.cells)
    except UnreadableFile as why:
        return Rebuilt(repairs=tuple(repairs), flags=tuple(flags), unreadable=why.note)
    cells = [
        RebuiltCell(
            kind=item.kind,
            source=item.source,
            master=item.master,
            run=item.run,
            touched=item.touched,
            outputs=item.outputs,
            pictures=dict.fromkeys(item.pictures, b""),  # they are sent one by one
        )
        for item in draft.cells
    ]
    return Rebuilt(
        tuple(cells),
        repairs=(*repairs, *draft.repairs),
        flags=(*flags, *draft.flags),
        file=list(files).index(name) if name else 0,
        unpacked=tuple(unpacked),
    )


def _cut_texts(cells: list[DraftCell]) -> list[Note]:
    """Cut the longest text cells, which may hold pasted pictures, until the rest is small enough, and return flags.

    Raises:
        UnreadableFile: the code, which is never cut, is too much by itself.
    """
    student_cells = [item for item in cells if item.master is None or item.master.role in ANSWER_ROLES]
    sizes = {item: len(item.source.encode("utf-8", "replace")) for item in student_cells}
    excess = sum(sizes.values()) - MAX_TEXT
    flags = []
    for item in sorted(student_cells, key=sizes.__getitem__, reverse=True):
        if excess <= 0:
            break
        if item.kind != "code":
            item.source = item.source[:MAX_VALUE] + "\n\n[The rest of this cell was too long to be kept.]"
            excess -= sizes[item] - len(item.source.encode("utf-8", "replace"))
            flags.append(Note(Flag.TEXT_CUT, cell=item.grade_id))
    if excess > 0:
        raise UnreadableFile(Unreadable.TOO_MUCH_CODE, limit=MAX_TEXT >> 20)
    return flags
