"""The fingerprints of answers, made by copydetect in a confined process, which calls `prepare` and `work`.

copydetect splits a text into tokens with pygments, and some texts keep pygments busy for hours.
"""

import io

import msgpack

GRAM, WINDOW = 12, 4  # tokens of a fingerprint; neighbouring fingerprints of which one is kept


def prepare(setup: bytes) -> None:
    """Import all that the first text needs; `setup` is not used."""
    _fingerprints("def f(x):\n    return x")


def work(data: bytes) -> bytes:
    """Return a list of fingerprints (numbers) for each text; `data` and the bytes returned are msgpack."""
    packed: bytes = msgpack.packb([_fingerprints(source) for source in msgpack.unpackb(data)])
    return packed


def _fingerprints(source: str) -> list[int]:
    from copydetect import CodeFingerprint  # optional: the module has to be importable without it

    hashes = CodeFingerprint("answer.py", GRAM, WINDOW, fp=io.StringIO(source)).hashes
    return sorted(int(value) for value in hashes)
