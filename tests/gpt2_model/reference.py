"""What transformers' GPT2Model computes, for the optional part of week 8: its blocks beside those of the students.

    PYTHONPATH=. python tests/gpt2_model/reference.py            in the course folder, writes reference.json: a small
                                                                 model with random parameters, and its results
    PYTHONPATH=. python tests/gpt2_model/reference.py --whole    compares a model of GPT-2's own size, 124 million
                                                                 random parameters, and prints the largest difference

It needs the course's environment and transformers 5.24.0, which the tests do without: they read what it has written.
"""

import base64
import json
import sys
from pathlib import Path

import torch
import transformers
from torch import nn

from assets.novelist.parts import read_parts

CELLS = ("setup", "earlier-weeks", "target-mask", "gpt2-block", "gpt2-model", "gpt2-names")
SMALL = {"vocab_size": 61, "n_positions": 17, "n_embd": 24, "n_head": 3, "n_layer": 2}


def theirs(sizes: dict, spread: float) -> nn.Module:
    """A GPT2Model without dropout, whose parameters are all random: none has the value that it starts with."""
    torch.manual_seed(8)
    dropout = dict.fromkeys(("attn_pdrop", "embd_pdrop", "resid_pdrop"), 0)
    config = transformers.GPT2Config(**sizes, **dropout, bos_token_id=None, eos_token_id=None)
    model = transformers.GPT2Model(config).eval()
    for parameter in model.parameters():
        nn.init.normal_(parameter, std=spread)
    return model


def logits(model: nn.Module, ids: torch.Tensor) -> torch.Tensor:
    """(batch, length, vocab): as in GPT-2, the table of embeddings is also the output's."""
    with torch.no_grad():
        return model(ids).last_hidden_state @ model.wte.weight.T


def packed(tensor: torch.Tensor) -> dict:
    data = base64.b64encode(tensor.numpy().astype("<f4").tobytes()).decode()
    return {"shape": list(tensor.shape), "data": data}


def write_small() -> None:
    model = theirs(SMALL, 0.3)
    ids = torch.randint(0, SMALL["vocab_size"], (3, SMALL["n_positions"]))
    whole = {
        "made with": {"torch": torch.__version__, "transformers": transformers.__version__},
        "sizes": SMALL,
        "ids": ids.tolist(),
        "parameters": {name: packed(tensor) for name, tensor in model.state_dict().items()},
        "logits": packed(logits(model, ids)),
    }
    (Path(__file__).parent / "reference.json").write_text(json.dumps(whole) + "\n", encoding="utf-8")


def compare_whole() -> None:
    parts = read_parts(CELLS)
    model = theirs({}, 0.1)
    ours = parts.GPT2().eval()
    ours.load_state_dict(parts.gpt2_parameters(model.state_dict()))
    ids = torch.randint(0, 50257, (2, 256))
    wanted = logits(model, ids)
    with torch.no_grad():
        difference = (ours(ids) - wanted).abs().max().item()
    print(f"{sum(parameter.numel() for parameter in ours.parameters()):,} parameters, {tuple(ids.shape)} ids")
    print(f"largest difference {difference:.1e}, where the largest logit is {wanted.abs().max().item():.2f}")


if __name__ == "__main__":
    compare_whole() if sys.argv[1:] == ["--whole"] else write_small()
