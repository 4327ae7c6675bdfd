"""Parameters as text: whole numbers of 1/2048 in 16 bits, in base64.

A parameter becomes the nearest number that can be written so, before anything is shown or claimed. Page and PyTorch
therefore compute with exactly the same parameters, and the file is a third of what decimal digits would take.
"""

import base64
import json
from pathlib import Path

import numpy as np
import torch

from assets.explorer.encoder import SIZES, Reader
from assets.explorer.words import ANSWERS, GAP, PAD, UNKNOWN, VOCABULARY

UNIT = 2048
FILE = Path(__file__).parent / "weights.json"


def pack(reader: Reader) -> dict:
    """{name of the parameter: {shape, data}}; data is base64 of 16-bit whole numbers, the lowest byte first."""
    packed = {}
    for name, tensor in reader.state_dict().items():
        whole = np.rint(tensor.detach().double().numpy() * UNIT)
        if np.abs(whole).max() > 32767:
            raise ValueError(f"{name} has a number beyond 16, which does not fit.")
        data = base64.b64encode(whole.astype("<i2").tobytes()).decode()
        packed[name] = {"shape": list(tensor.shape), "data": data}
    return packed


def unpack(packed: dict) -> Reader:
    """The reader with these parameters, as the page has it."""
    state = {}
    for name, entry in packed.items():
        whole = np.frombuffer(base64.b64decode(entry["data"]), dtype="<i2").astype(np.float32)
        state[name] = torch.from_numpy(whole / UNIT).reshape(entry["shape"])
    reader = Reader()
    reader.load_state_dict(state)
    return reader.eval()


def write(trained: Reader, untrained: Reader, notes: dict) -> None:
    """Write weights.json: both readers, what the page has to know about them, and notes about the training."""
    whole = {
        "sizes": SIZES,
        "unit": UNIT,
        "vocabulary": VOCABULARY,
        "special": {"gap": GAP, "pad": PAD, "unknown": UNKNOWN},
        "answers": ANSWERS,
        "training": notes,
        "models": {"trained": pack(trained), "untrained": pack(untrained)},
    }
    FILE.write_text(json.dumps(whole, indent=1) + "\n", encoding="utf-8")


def read() -> dict:
    """What `write` has written."""
    return json.loads(FILE.read_text(encoding="utf-8"))
