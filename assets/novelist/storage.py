"""The model as one file in the format safetensors: 8 bytes, a JSON text, numbers.

The numbers are 16-bit floats. The JSON's `__metadata__` has the vocabulary, the merges, the model's sizes, the words of
the novel and what the training measured, each as JSON text, since the format wants strings.
"""

import json
from pathlib import Path

import numpy as np
import torch

FILE = Path(__file__).parents[2] / "source" / "week8_transformer" / "novel_model.safetensors"


def pack(state: dict[str, torch.Tensor], notes: dict) -> bytes:
    """The file's bytes; the same for the same parameters and notes."""
    header: dict = {"__metadata__": {name: json.dumps(value) for name, value in notes.items()}}
    numbers, end = [], 0
    for name, tensor in state.items():
        data = tensor.detach().cpu().numpy().astype("<f2").tobytes()
        header[name] = {"dtype": "F16", "shape": list(tensor.shape), "data_offsets": [end, end + len(data)]}
        numbers.append(data)
        end += len(data)
    text = json.dumps(header, separators=(",", ":")).encode()
    text += b" " * (-len(text) % 8)  # the numbers begin at a multiple of 8
    return len(text).to_bytes(8, "little") + text + b"".join(numbers)


def rounded(state: dict[str, torch.Tensor]) -> dict[str, torch.Tensor]:
    """These parameters as the file gives them back: whatever is measured is measured on them."""
    return {
        name: torch.from_numpy(tensor.numpy().astype(np.float16).astype(np.float32))
        for name, tensor in state.items()
    }
